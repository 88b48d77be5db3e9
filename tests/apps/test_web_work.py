"""Who waits for whom: short work in turns, long work a piece at a time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial

import pytest

from zeroply.apps.web.turns import HURRIED, Turns
from zeroply.apps.web.work import GAMES, LONG, REST, SHORT, Work


async def order(*askers: tuple[str, bool]) -> list[int]:
    """In which these, by address and whether they go first, get the only place after one who has it."""
    turns, served, leave = Turns(1), list[int](), asyncio.Event()

    async def ask(number: int, address: str, first: bool) -> None:
        async with turns.turn(address, first=first):
            served.append(number)

    async def hold() -> None:
        async with turns.turn("holder", first=True):
            await leave.wait()

    tasks = [asyncio.create_task(hold())]
    for number, (address, first) in enumerate(askers):
        await asyncio.sleep(0)
        tasks.append(asyncio.create_task(ask(number, address, first)))
    await asyncio.sleep(0)
    leave.set()
    await asyncio.gather(*tasks)
    return served


def test_addresses_take_turns() -> None:
    crowd = [("a", True)] * 5
    assert asyncio.run(order(*crowd, ("b", True), ("c", True), ("b", True))) == [0, 5, 6, 1, 7, 2, 3, 4]


def test_a_persons_pace_goes_first_and_the_others_not_never() -> None:
    assert asyncio.run(order(("a", False), ("b", False), ("a", True), ("a", True))) == [2, 3, 0, 1]
    served = asyncio.run(order(("hasty", False), *[("a", True)] * (3 * HURRIED)))
    assert served.index(0) == HURRIED - 1


def test_who_goes_away_leaves_the_place_to_the_next() -> None:
    async def scene() -> None:
        turns, leave = Turns(1), asyncio.Event()

        async def ask() -> None:
            async with turns.turn("a", first=True):
                await leave.wait()

        holder, waiting, given = [asyncio.create_task(ask()) for _ in range(3)]
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.sleep(0)
        leave.set()
        await holder
        given.cancel()  # just as the place is his
        for task in (waiting, given):
            with suppress(asyncio.CancelledError):
                await task
        async with asyncio.timeout(30), turns.turn("b", first=True):
            pass

    asyncio.run(scene())


def test_one_person_waits_for_no_crowd_from_elsewhere() -> None:
    async def scene() -> list[str]:
        work, done, go = Work(), list[str](), threading.Event()

        def task(who: str) -> None:
            go.wait(30)
            done.append(who)

        def ask(who: str) -> Awaitable[None]:
            return asyncio.create_task(work.short(partial(task, who), address=who, first=True))

        crowd = [ask("crowd") for _ in range(200)]
        await asyncio.sleep(0)
        person = ask("person")
        await asyncio.sleep(0)
        go.set()
        await asyncio.gather(*crowd, person)
        return done

    done = asyncio.run(scene())
    assert len(done) == 201
    assert done.index("person") < 3 * GAMES, "those who had a place already, and no more"


def test_long_work_rests_for_its_own_time_while_others_play(monkeypatch: pytest.MonkeyPatch) -> None:
    sleep, rests, now = asyncio.sleep, list[float](), 0.0

    async def rest(seconds: float) -> None:
        rests.append(seconds)

    def task() -> None:
        nonlocal now
        now += 1

    async def scene(work: Work) -> None:
        nonlocal now
        await work.long(task, address="a")
        assert rests == [], "nobody plays"
        over, free = threading.Event(), threading.Event()
        player = asyncio.create_task(work.short(partial(over.wait, 30), address="b", first=True))
        others = [asyncio.wrap_future(work._long.submit(free.wait, 30)) for _ in range(LONG)]
        piece = asyncio.create_task(work.long(task, address="a"))
        await sleep(0)
        now += 1000  # until it gets a thread
        free.set()
        await asyncio.gather(piece, *others)
        over.set()
        await player

    monkeypatch.setattr("zeroply.apps.web.work.asyncio.sleep", rest)
    monkeypatch.setattr("zeroply.apps.web.work.time.monotonic", lambda: now)
    asyncio.run(scene(Work()))
    assert rests == [REST * 1.0]


def test_of_long_work_an_address_has_one_piece_in_hand() -> None:
    async def scene() -> int:
        work, lock, now, most = Work(), threading.Lock(), 0, 0

        def task() -> None:
            nonlocal now, most
            with lock:
                now += 1
                most = max(most, now)
            threading.Event().wait(0.01)
            with lock:
                now -= 1

        await asyncio.gather(*(work.long(task, address="a") for _ in range(5)))
        alone, most = most, 0
        await asyncio.gather(*(work.long(task, address=f"{number}") for number in range(10)))
        assert most <= LONG
        return alone

    assert asyncio.run(scene()) == 1


@pytest.mark.parametrize(("plies", "kind"), [(SHORT, "game"), (SHORT + 1, "long")])
def test_many_plies_are_long_work(plies: int, kind: str) -> None:
    name: Callable[[], str] = lambda: threading.current_thread().name  # noqa: E731
    assert asyncio.run(Work().following(plies, name, address="a", first=True)).startswith(kind)
