"""The page's server under load: 200 games, each asking for a move every 5 seconds, alone and then beside two
slow or hostile clients. What counts is the time from a person's move to the net's answer."""

import asyncio
import json
import os
import random
import resource
import subprocess
import sys
import time
from contextlib import ExitStack
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

GAMES, EVERY, ROUNDS = 200, 5.0, 4
PROGRAM = "from zeroply.apps.web import serve; serve(['chess', 'xiangqi'], port=0)"


async def game(address: str, number: int, took: list[float]) -> None:
    """One person: a random legal move every five seconds."""
    chance = random.Random(number)  # noqa: S311 (no secret)
    begin = {"type": "new", "model": ("chess", "xiangqi")[number % 2]}
    async with connect(f"{address.replace('http', 'ws')}api/game", proxy=None) as socket:
        state = await _ask(socket, begin)
        at = time.monotonic() + EVERY * chance.random()
        for _ in range(ROUNDS):
            await asyncio.sleep(at - time.monotonic())
            at += EVERY
            if state["result"]:
                state = await _ask(socket, begin)
            sent = time.perf_counter()
            state = await _ask(socket, {"type": "move", "move": chance.choice(state["legal"])["move"]})
            took.append(time.perf_counter() - sent)


async def _ask(socket: ClientConnection, request: dict[str, Any]) -> dict[str, Any]:
    """The state in which the person is to move, or the game is over."""
    await socket.send(json.dumps(request))
    while True:
        state: dict[str, Any] = json.loads(await socket.recv())
        if state["type"] == "error":
            raise RuntimeError(state["text"])
        if state["result"] or state["turn"] == state["side"]:
            return state


async def games(address: str) -> list[float]:
    took: list[float] = []
    await asyncio.gather(*(game(address, number, took) for number in range(GAMES)))
    return sorted(took)


def measure(hostile: tuple[str, ...]) -> None:
    with ExitStack() as stack:
        server = _started(stack, [sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE)
        assert server.stdout is not None
        address = server.stdout.readline().split()[3]
        host, port = address.removeprefix("http://").strip("/").split(":")
        commands = [[sys.executable, "-m", "bench.hostile", kind, host, port] for kind in hostile]
        ours = [os.getpid(), server.pid, *(_started(stack, command).pid for command in commands)]
        before, begin = [_used(process) for process in ours], time.perf_counter()
        busy = _busy()
        took = asyncio.run(games(address))
        spent, memory = time.perf_counter() - begin, _peak(server.pid)
        used = [_used(process) - early for process, early in zip(ours, before, strict=True)]
        others = _busy() - busy - sum(used)
    beside = f"beside two hostile clients ({', '.join(hostile)})" if hostile else "alone"
    print(
        f"{GAMES} games, a move every {EVERY:.0f} s, {beside}: p50 {1000 * took[len(took) // 2]:.0f} ms, "
        f"p95 {1000 * took[int(0.95 * len(took))]:.0f} ms, longest {1000 * took[-1]:.0f} ms of {len(took)}; "
        f"of {os.cpu_count()} cores the server took {used[1] / spent:.2f}, the clients "
        f"{(sum(used) - used[1]) / spent:.2f}, other programs {others / spent:.2f}; memory {memory:.0f} MB",
        flush=True,
    )


def _started(stack: ExitStack, command: list[str], **options: Any) -> "subprocess.Popen[str]":
    process = subprocess.Popen(command, text=True, **options)
    stack.callback(process.wait)
    stack.callback(process.kill)
    return process


def _used(process: int) -> float:
    """Seconds of processor time."""
    with open(f"/proc/{process}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _busy() -> float:
    """Seconds of processor time that all programs together have used."""
    with open("/proc/stat") as file:
        user, nice, system, _, _, *rest = map(int, file.readline().split()[1:8])
    return (user + nice + system + sum(rest)) / os.sysconf("SC_CLK_TCK")


def _peak(process: int) -> float:
    with open(f"/proc/{process}/status") as file:
        found = next(line for line in file if line.startswith("VmHWM"))
    return int(found.split()[1]) / 1024


def main() -> None:
    if sys.platform != "linux":
        print("load: needs Linux, whose loopback has many addresses")
        return
    files, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(files, 2048), most), most))
    measure(())
    measure(("slow", "rude"))
    measure(("many", "keen"))


if __name__ == "__main__":
    main()
