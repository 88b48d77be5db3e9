"""Games between engines, made for training: a corpus of their moves, results and scores.

Each game is played apart from all others, from its own opening, so that killed work goes on and ends with the
same bytes if the players give the same answer twice: engines with one thread, and nodes or depth limited.
"""

from __future__ import annotations

import csv
import hashlib
import io
import math
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from zeroply.artefacts import check_folder, check_place
from zeroply.corpus.build import build
from zeroply.corpus.exports import export
from zeroply.corpus.exports.comments import score
from zeroply.corpus.hashes import SHARES
from zeroply.corpus.ledger import Ledger, Part
from zeroply.corpus.readers.engine import COLUMNS
from zeroply.corpus.score import Split
from zeroply.corpus.store import Corpus
from zeroply.errors import EngineError, ReadError, ZeroplyError
from zeroply.evals.openings import random_opening, read_openings
from zeroply.evals.played import PlayedGame
from zeroply.evals.playing import PLY_LIMIT, Pairing, play_games
from zeroply.games import Game, game_named
from zeroply.players import Player
from zeroply.players.conversation import PATIENCE
from zeroply.players.engine import EnginePlayer
from zeroply.players.spec import identity_of, parse_player

AT_ONCE = 8
"""Games of a part: what a worker loses at the most when it is killed."""
TABLE = "games.csv"


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What is played."""

    white: str
    """The first player (White, Red) as on a command line."""
    black: str
    game: str = "chess"
    random_plies: int = 0
    """Random legal moves before each game; they are no part of it."""
    ply_limit: int = PLY_LIMIT
    seed: int = 0
    patience: float = PATIENCE
    """Seconds for which an engine may be silent."""

    def plan(self) -> dict[str, Any]:
        """All that the games depend on: how long somebody waits for an engine is no part of it."""
        return {name: value for name, value in asdict(self).items() if name != "patience"}


@dataclass(frozen=True)
class Round:
    """One job: some games by their numbers, with the FENs where they begin before any random moves."""

    wanted: Wanted
    games: Sequence[tuple[int, str | None]]


@dataclass(frozen=True, kw_only=True)
class Generated:
    """What came of it."""

    manifest: dict[str, Any]
    plies: int
    left: int
    """So many games were not begun when the time was up."""
    failures: tuple[int, int]
    """Games that ended because White's program (Red's), or Black's, broke down."""
    first_failure: str | None
    busy: float
    """Which share of the time an engine of each worker had something to do, 0 … 1."""


def generate(
    out: Path,
    wanted: Wanted,
    games: int,
    *,
    openings: Path | None = None,
    table: Path | None = None,
    shares: Mapping[Split, float] = SHARES,
    workers: int = 1,
    until: float = math.inf,
    progress: Callable[[int, float], None] = lambda positions, share: None,
) -> Generated:
    """Play so many games into a new corpus; `table` gets them as CSV too, one row a position. No round of
    them is begun after `until`, by `time.monotonic`.

    `progress` hears how many positions were played by this call, and which share of all games is there."""
    if out.exists():
        raise ReadError(f"{out} exists. Choose another folder or remove it first")
    check_folder(out)
    if table is not None:
        check_place(table, out)
    game = game_named(wanted.game)
    starts = read_openings(openings, game, games, wanted.seed) if openings else [None]
    players = _players(wanted)  # or they are refused
    programs = [identity_of(player) for player in players]
    if workers > 1:
        _close(wanted)  # each worker has its own
    ledger = Ledger(out.parent / f".{out.name}.generating")
    plan = {
        "games": games,
        **wanted.plan(),
        "programs": programs,
        "openings": _digest(starts),
        "at_once": AT_ONCE,
    }
    try:
        with ledger.opened(plan, "zeroply data generate"):
            fresh = done = 0
            for new, counts in ledger.fill(_rounds(wanted, games, starts), play, workers, until):
                done, fresh = done + int(counts["games"]), fresh + int(counts["plies"]) * new
                progress(fresh, done / games)
            header = ",".join([*COLUMNS, *game.sides, "Termination"]) + "\n"
            found, flaws = ledger.whole(header, ledger.folder / TABLE)
    finally:
        _close(wanted)
    left = games - int(found["games"])
    if left == games:
        raise ZeroplyError(
            "the time was up before a game was over. Give the same command a longer --max-time"
        )
    if not found["plies"]:
        shutil.rmtree(ledger.folder)
        raise EngineError(f"'{wanted.white}' and '{wanted.black}' did not play a single move. {flaws[0]}")
    building = ledger.folder / "corpus"
    shutil.rmtree(building, ignore_errors=True)  # of a run that was killed when nearly all was done
    made = {**plan, "failed": len(flaws), "left": left}
    manifest = build(building, [ledger.folder / TABLE], game, made=made, shares=shares)
    if table is not None:
        export(Corpus.open(building), table, "csv")
    building.rename(out)
    shutil.rmtree(ledger.folder)
    return Generated(
        manifest=manifest,
        plies=int(found["plies"]),
        left=left,
        failures=(int(found["failed_0"]), int(found["failed_1"])),
        first_failure=flaws[0] if flaws else None,
        busy=found["waited"] / max(found["seconds"], 1e-9),
    )


def play(job: Round) -> Part:
    """Runs in a worker: play some games; their rows, those of a game together."""
    game = game_named(job.wanted.game)
    white, black = _players(job.wanted)
    engines = {player for player in (white, black) if isinstance(player, EnginePlayer)}
    begin, waited = time.monotonic(), sum(engine.waited for engine in engines)
    pairings = [
        Pairing(number, _opening(game, job.wanted, number, start), (white, black))
        for number, start in job.games
    ]
    played = [one for ended in play_games(game, pairings, ply_limit=job.wanted.ply_limit) for one in ended]
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    for one in sorted(played, key=lambda one: one.number):
        rows.writerows(_rows(game, one))
    failed = [one.failed for one in played if one.failed is not None]
    return Part(
        text=text.getvalue(),
        counts={
            "games": len(played),
            "plies": sum(len(one.moves) for one in played),
            "failed_0": failed.count(0),
            "failed_1": failed.count(1),
            "seconds": time.monotonic() - begin,
            "waited": sum(engine.waited for engine in engines) - waited,
        },
        flaws=[f"game {one.number + 1}: {one.reason}" for one in played if one.failed is not None],
    )


def _rows(game: Game, played: PlayedGame) -> Iterator[tuple[object, ...]]:
    """Of `readers.engine`, which takes the start and the tags from a game's first row. Where a program broke
    down, the board did not decide: such a game has no result."""
    result = "" if played.failed is not None else f"{played.result:g}"
    told: tuple[str, ...] = (played.start, result, *played.players, played.reason)
    for ply, (move, evaluation) in enumerate(zip(played.moves, played.evaluations, strict=True)):
        start, result, *tags = told if ply == 0 else ("",) * len(told)
        yield played.number, ply, start, game.moves.names[move], score(evaluation), result, *tags


def _players(wanted: Wanted) -> tuple[Player, Player]:
    first, second = (_player(text, wanted.game, wanted.patience) for text in (wanted.white, wanted.black))
    return first, second


@cache
def _player(text: str, game: str, patience: float) -> Player:
    """The player of this process. One that plays both sides is one: it has no memory."""
    return parse_player(text, game_named(game), patience=patience)


def _close(wanted: Wanted) -> None:
    for player in _players(wanted):
        player.close()


def _opening(game: Game, wanted: Wanted, number: int, start: str | None) -> str:
    random = np.random.default_rng([wanted.seed, number])
    return random_opening(game, random, start, wanted.random_plies)


def _rounds(wanted: Wanted, games: int, starts: Sequence[str | None]) -> Iterator[Round]:
    numbered = iter([(number, starts[number % len(starts)]) for number in range(games)])
    while some := tuple(islice(numbered, AT_ONCE)):
        yield Round(wanted, some)


def _digest(starts: Sequence[str | None]) -> str | None:
    return hashlib.sha256("\n".join(map(str, starts)).encode()).hexdigest() if starts != [None] else None
