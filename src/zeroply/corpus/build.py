"""Sources to a corpus: read in parallel, every game once, split by its hash, killed anywhere without loss.

The games of a source become shards on disk; when all are there they are merged. A build that was killed finds
its shards again, reads on from there and ends with the same bytes.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import count, islice
from pathlib import Path
from typing import Any

from zeroply.artefacts import digest_of, read_json, room_for, write_json
from zeroply.corpus.hashes import SHARES
from zeroply.corpus.merge import merge
from zeroply.corpus.readers import Skipped, read
from zeroply.corpus.score import Score, Split
from zeroply.corpus.shard import Shard, write_shard
from zeroply.corpus.store import SCHEMA
from zeroply.errors import ReadError
from zeroply.games import Game, game_named
from zeroply.games.stamp import stamp

SHARD = 16_384
"""Games of a shard: some megabytes, and what a killed build reads again at the most."""


def build(
    out: Path,
    sources: Sequence[Path],
    game: Game,
    *,
    where: str | None = None,
    shares: Mapping[Split, float] = SHARES,
    workers: int = 1,
    progress: Callable[[int], None] = lambda games: None,
) -> dict[str, Any]:
    """Read every source into a new corpus; returns its manifest. Bad games are skipped and listed.

    `progress` hears how many games were read so far. Workers take a source each.
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
        reasons = [line for shard in shards for line in shard.skipped]
        first = f" First reason: {reasons[0]}" if reasons else ""
        shutil.rmtree(staging)
        raise ReadError(f"no game could be read from {', '.join(map(str, sources))}.{first}")
    folder = staging / "corpus"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    counts = merge(shards, folder, where=where, shares=shares)
    parts = {split.name: shares.get(split, 0.0) for split in (Split.validation, Split.test)}
    with room_for(folder), (folder / "skipped.txt").open("w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for shard in shards for line in shard.skipped)
    write_json(folder / "manifest.json", {**plan, **counts, "where": where, "shares": parts})
    folder.rename(out)
    shutil.rmtree(staging)
    return read_json(out / "manifest.json", "a corpus")


def _digest(source: Path) -> str | None:
    if not source.exists():
        raise ReadError(f"{source} does not exist")
    return digest_of(source) if source.is_file() else None


def _take_up(staging: Path, plan: Mapping[str, Any]) -> None:
    """Prepare the folder of this build's shards; what another build left there is removed."""
    made = staging / "plan.json"
    if not made.exists() or read_json(made, "a build") != plan:
        shutil.rmtree(staging, ignore_errors=True)
        staging.mkdir(parents=True)
        write_json(made, plan)


def _read_all(
    sources: Sequence[Path], game: Game, staging: Path, workers: int, progress: Callable[[int], None]
) -> list[Shard]:
    """All shards, in the order of the sources."""
    folders = [staging / f"{number:06d}" for number in range(len(sources))]
    games = 0
    if workers == 1:
        for source, folder in zip(sources, folders, strict=True):
            for shard in _read_source(source, folder, game):
                games += shard.games
                progress(games)
    else:
        with ProcessPoolExecutor(workers) as pool:
            work = [
                pool.submit(_read_whole_source, *job, game.name) for job in zip(sources, folders, strict=True)
            ]
            for done in as_completed(work):
                games += done.result()
                progress(games)
    return [Shard(path) for folder in folders for path in sorted(folder.glob("[0-9]*"))]


def _read_whole_source(source: Path, folder: Path, game_name: str) -> int:
    """Runs in a worker; returns the number of games."""
    return sum(shard.games for shard in _read_source(source, folder, game_named(game_name)))


def _read_source(source: Path, folder: Path, game: Game) -> Iterator[Shard]:
    """The shards of a source; those that an earlier try has written are not written again."""
    there = sorted(folder.glob("[0-9]*"))
    yield from map(Shard, there)
    if (folder / "complete").exists():
        return
    items = _to_the_end(source, game)
    for number in count():
        batch = list(islice(items, SHARD))
        if not batch:
            break
        if number >= len(there):
            yield write_shard(folder / f"{number:06d}", batch, game)
    folder.mkdir(exist_ok=True)
    (folder / "complete").touch()


def _to_the_end(source: Path, game: Game) -> Iterator[Score | Skipped]:
    """What can be read; a source that breaks off (an archive cut short) keeps the games before the break."""
    number = 0
    try:
        for item in read(source, game):
            number += 1
            yield item
    except ReadError as error:
        if not number:
            raise
        yield Skipped(source.name, number + 1, str(error))
