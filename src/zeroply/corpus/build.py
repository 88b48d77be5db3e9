"""Sources to a corpus: read in parallel, every game once, split by its hash, killed anywhere without loss.

A source is cut into pieces, and each becomes a shard on disk; when all are there they are merged. A build
that was killed finds its shards again, parses only what is missing and ends with the same bytes.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zeroply.artefacts import digest_of, read_json, write_json
from zeroply.corpus.hashes import SHARES
from zeroply.corpus.merge import merge
from zeroply.corpus.readers import reader_of
from zeroply.corpus.readers.pieces import Piece
from zeroply.corpus.score import Skipped, Split
from zeroply.corpus.scores import gather
from zeroply.corpus.shard import Shard, write_shard
from zeroply.corpus.store import SCHEMA
from zeroply.corpus.workers import in_order
from zeroply.errors import ReadError
from zeroply.games import Game, game_named
from zeroply.games.stamp import stamp


def build(
    out: Path,
    sources: Sequence[Path],
    game: Game,
    *,
    where: str | None = None,
    keep_duplicates: bool = False,
    shares: Mapping[Split, float] = SHARES,
    workers: int = 1,
    progress: Callable[[int, float], None] = lambda games, share: None,
) -> dict[str, Any]:
    """Read every source into a new corpus; returns its manifest. Bad games are skipped and listed.

    `progress` hears how many games were read so far, and which share of the sources that was.
    """
    staging = out.parent / f".{out.name}.building"
    if out.exists():
        shutil.rmtree(staging, ignore_errors=True)  # of a build that was killed when all was done
        raise ReadError(f"{out} exists. Choose another folder or remove it first")
    described = [{"name": source.name, "sha256": _digest(source)} for source in sources]
    # What makes a build the same build. Filters and shares are not in it: they only matter to the merge.
    plan = {"schema": SCHEMA, **stamp(game), "sources": described}
    _take_up(staging, plan)
    try:
        shards = _read_all(sources, game, staging, workers, progress)
    except ReadError:
        shutil.rmtree(staging)  # the next try has other sources, and begins anew
        raise
    if not sum(shard.games for shard in shards):
        reasons = [skipped for shard in shards for skipped in shard.skipped]
        first = f" First reason: {reasons[0]}" if reasons else ""
        shutil.rmtree(staging)
        raise ReadError(f"no game could be read from {', '.join(map(str, sources))}.{first}")
    folder = staging / "corpus"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    counts = merge(shards, folder, where=where, keep_duplicates=keep_duplicates, shares=shares)
    parts = {split.name: shares.get(split, 0.0) for split in (Split.validation, Split.test)}
    write_json(folder / "manifest.json", {**plan, **counts, "where": where, "shares": parts})
    folder.rename(out)
    shutil.rmtree(staging)
    return read_json(out / "manifest.json", "a corpus")


def _digest(source: Path) -> str:
    if not source.exists():
        raise ReadError(f"{source} does not exist")
    return digest_of(source)


def _take_up(staging: Path, plan: Mapping[str, Any]) -> None:
    """Prepare the folder of this build's shards; what another build left there is removed."""
    made = staging / "plan.json"
    if not made.exists() or read_json(made, "a build") != plan:
        shutil.rmtree(staging, ignore_errors=True)
        staging.mkdir(parents=True)
        write_json(made, plan)


@dataclass(frozen=True)
class _Job:
    """One piece to be made a shard."""

    source: Path
    piece: Piece
    shard: Path
    game: str
    share: float
    """Of all sources, once this is done."""


def _read_all(
    sources: Sequence[Path], game: Game, staging: Path, workers: int, progress: Callable[[int, float], None]
) -> list[Shard]:
    """All shards, in the order of the sources."""
    games = 0
    for share, shard_games in in_order(_do, _jobs(sources, game, staging), workers):
        games += shard_games
        progress(games, share)
    return [Shard(path) for path in sorted(staging.glob("[0-9]*/[0-9]*"))]


def _jobs(sources: Sequence[Path], game: Game, staging: Path) -> Iterator[_Job]:
    sizes = [_size(source) for source in sources]
    for number, source in enumerate(sources):
        for at, piece in enumerate(_to_the_end(source, staging / f"{number:06d}", game)):
            share = (sum(sizes[:number]) + piece.share * sizes[number]) / sum(sizes)
            yield _Job(source, piece, staging / f"{number:06d}" / f"{at:06d}", game.name, share)


def _to_the_end(source: Path, folder: Path, game: Game) -> Iterator[Piece]:
    """What can be read; a source that breaks off (an archive cut short) keeps the pieces before the break."""
    name = ""
    try:
        for piece in reader_of(source, game).pieces(source):
            name = piece.path.name
            yield piece
    except ReadError as error:
        if not name:
            raise
        if not (folder / LAST).exists():
            write_shard(folder / LAST, gather([Skipped(name, 1, str(error))]), name, game)


LAST = "9" * 6
"""The shard that tells how a source broke off, behind all others."""


def _do(job: _Job) -> tuple[float, int]:
    """Runs in a worker. What an earlier try has written is not written again."""
    if not job.shard.exists():
        game = game_named(job.game)
        write_shard(job.shard, reader_of(job.source, game).parse(job.piece, game), job.piece.path.name, game)
    return job.share, Shard(job.shard).games


def _size(source: Path) -> int:
    files = [source] if source.is_file() else [path for path in source.rglob("*") if path.is_file()]
    return max(1, sum(path.stat().st_size for path in files))
