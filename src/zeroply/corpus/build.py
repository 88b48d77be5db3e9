"""Sources to a corpus: read in parallel, every game once, split by its hash, killed anywhere without loss.

A source is cut into pieces, and each becomes a shard on disk; when all are there they are merged. A build
that was killed finds its shards again, parses only what is missing and ends with the same bytes.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from zeroply import __version__
from zeroply.artefacts import check_folder, digest_of, read_json, write_json
from zeroply.corpus.hashes import SHARES
from zeroply.corpus.merge import merge
from zeroply.corpus.readers import READABLE, pieces, readable_as, reader_of
from zeroply.corpus.readers.pieces import Piece
from zeroply.corpus.score import Split
from zeroply.corpus.shard import Shard, write_shard
from zeroply.corpus.store import SCHEMA
from zeroply.corpus.workers import in_order, only_one
from zeroply.errors import ReadError
from zeroply.games import Game, game_named
from zeroply.games.stamp import stamp


@dataclass(frozen=True)
class Source:
    """A file or folder of games, where its shards are kept, and whether they have tags."""

    path: Path
    digest: str
    shards: Path
    with_tags: bool


def build(
    out: Path,
    sources: Sequence[Path],
    game: Game,
    *,
    where: str | None = None,
    keep_duplicates: bool = False,
    with_tags: bool = True,
    shares: Mapping[Split, float] = SHARES,
    workers: int = 1,
    made: Mapping[str, Any] | None = None,
    progress: Callable[[int, float], None] = lambda games, share: None,
) -> dict[str, Any]:
    """Read every source into a new corpus; returns its manifest. Bad games are skipped and listed.

    Without tags numpy and the rules are all that it needs. `made` is what the manifest says of sources that
    were made for this corpus. `progress` hears how many games were read so far, and which share of the
    sources that was.
    """
    staging = out.parent / f".{out.name}.building"
    if out.exists():
        shutil.rmtree(staging, ignore_errors=True)  # of a build that was killed when all was done
        raise ReadError(f"{out} exists. Choose another folder or remove it first")
    if where is not None:
        from zeroply.corpus.condition import check_condition  # few builds have one

        check_condition(where)
    check_folder(out)
    for source in sources:
        reader_of(source, game)  # before hours of reading: one that nobody can read
    staging.mkdir(parents=True, exist_ok=True)
    with only_one(staging / "lock", f"another build of {out} is running"):
        plan = {"version": __version__, "piece": pieces.SIZE, "tags": with_tags}
        _take_up(staging, {"schema": SCHEMA, **stamp(game), **plan})
        found = [_described(source, staging, with_tags) for source in sources]
        try:
            manifest = _build(
                out, found, game, staging, where, keep_duplicates, shares, workers, made, progress
            )
        except ReadError:
            if not any(Shard(path).games for path in staging.glob("*/[0-9]*")):
                shutil.rmtree(staging)  # nothing there that the next try could use
            raise
    shutil.rmtree(staging)
    return manifest


def _build(
    out: Path,
    sources: Sequence[Source],
    game: Game,
    staging: Path,
    where: str | None,
    keep_duplicates: bool,
    shares: Mapping[Split, float],
    workers: int,
    made: Mapping[str, Any] | None,
    progress: Callable[[int, float], None],
) -> dict[str, Any]:
    incomplete = _read_all(sources, game, workers, progress)
    shards = [Shard(path) for source in sources for path in sorted(source.shards.glob("[0-9]*"))]
    if not sum(shard.games for shard in shards):
        reasons = [*(str(skipped) for shard in shards for skipped in shard.skipped()), *incomplete]
        first = f" First reason: {reasons[0]}" if reasons else ""
        if not first:
            first = f" Give sources with games in them. Readable: {READABLE}"
        other = "" if "--game" in first else readable_as(sources[0].path, besides=game)
        raise ReadError(
            f"no game could be read from {', '.join(str(s.path) for s in sources)}.{other}{first}"
        )
    folder = staging / "corpus"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    counts = merge(shards, folder, where=where, keep_duplicates=keep_duplicates, shares=shares)
    manifest = {
        "schema": SCHEMA,
        **stamp(game),
        "version": __version__,
        "sources": [{"name": source.path.name, "sha256": source.digest} for source in sources],
        **counts,
        "incomplete": incomplete,
        "gave_none": [line for source in sources for line in _gave_none(source, out)],
        "where": where,
        **({} if made is None else {"made": made}),
        "shares": {split.name: shares.get(split, 0.0) for split in (Split.validation, Split.test)},
    }
    write_json(folder / "manifest.json", manifest)
    folder.rename(out)
    return manifest


def _gave_none(source: Source, out: Path) -> Iterator[str]:
    """A line about a source without a single game, which is nothing that one would want beside others."""
    shards = [Shard(path) for path in source.shards.glob("[0-9]*")]
    if not any(shard.games for shard in shards):
        bad = sum(shard.bad for shard in shards)
        why = f"{bad:,} skipped (reasons in {out / 'skipped.txt'})" if bad else "there is none in it"
        yield f"{source.path} gave no game: {why}. Is it what you meant?"


def _take_up(staging: Path, plan: Mapping[str, Any]) -> None:
    """Prepare the folder of this build's shards; those that were made in another way are removed."""
    made = staging / "plan.json"
    if not made.exists() or read_json(made, "a build") != plan:
        for old in staging.iterdir():
            if old.is_dir():
                shutil.rmtree(old)
        write_json(made, plan)


def _described(source: Path, staging: Path, with_tags: bool) -> Source:
    """Shards are kept by what a source holds: with other sources beside it they are still good."""
    digest = digest_of(source)
    return Source(source, digest, staging / digest[:16], with_tags)


@dataclass(frozen=True)
class _Job:
    """One piece to be made a shard."""

    source: Path
    piece: Piece
    shard: Path
    game: str
    with_tags: bool
    share: float
    """Of all sources, once this is done."""


def _read_all(
    sources: Sequence[Source], game: Game, workers: int, progress: Callable[[int, float], None]
) -> list[str]:
    """Make all shards; returns how sources broke off that could not be read to their end."""
    games, incomplete = 0, list[str]()
    for share, shard_games in in_order(_do, _jobs(sources, game, incomplete), workers):
        games += shard_games
        progress(games, share)
    return incomplete


def _jobs(sources: Sequence[Source], game: Game, incomplete: list[str]) -> Iterator[_Job]:
    different = list({source.digest: source for source in sources}.values())
    sizes = [_size(source.path) for source in different]
    for number, source in enumerate(different):
        for at, piece in enumerate(_to_the_end(source.path, game, incomplete)):
            share = (sum(sizes[:number]) + piece.share * sizes[number]) / sum(sizes)
            shard = source.shards / f"{at:06d}"
            # A text that is not needed again is not sent to a worker.
            needed = replace(piece, text="") if shard.exists() else piece
            yield _Job(source.path, needed, shard, game.name, source.with_tags, share)


def _to_the_end(source: Path, game: Game, incomplete: list[str]) -> Iterator[Piece]:
    """What can be read; a source that breaks off (an archive cut short) keeps the pieces before the break."""
    reader, piece = reader_of(source, game), None
    try:
        for piece in reader.pieces(source):
            yield piece
    except ReadError as error:
        if piece is None:
            raise
        incomplete.append(str(error))
        return
    if piece is not None and (reason := reader.breaks_off(piece)) is not None:
        incomplete.append(reason)


def _do(job: _Job) -> tuple[float, int]:
    """Runs in a worker. What an earlier try has written is not written again."""
    if not job.shard.exists():
        game = game_named(job.game)
        scores = reader_of(job.source, game).parse(job.piece, game)
        told = scores if job.with_tags else replace(scores, tags={})
        write_shard(job.shard, told, job.piece.path.name, game)
    return job.share, Shard(job.shard).games


def _size(source: Path) -> int:
    files = [source] if source.is_file() else [path for path in source.rglob("*") if path.is_file()]
    return max(1, sum(path.stat().st_size for path in files))
