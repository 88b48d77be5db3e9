"""Shards to a corpus: filtered, every game once, in the order of the sources, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroply.artefacts import room_for
from zeroply.corpus.condition import matching
from zeroply.corpus.hashes import split_of
from zeroply.corpus.npy import write_npy
from zeroply.corpus.score import LINES, NO_CLOCK, NO_EVALUATION, Split
from zeroply.corpus.shard import FACTS, Shard
from zeroply.corpus.sql import games_table
from zeroply.corpus.tags import TagWriter, kept_rows, widened
from zeroply.errors import ReadError, ZeroplyError

ABSENT = {"evaluations": NO_EVALUATION, "lines": NO_EVALUATION, "clocks": NO_CLOCK}
"""What some sources tell of a move, and the value of those that do not."""
SHAPES = {"lines": (LINES, 2)}
"""Of those that are more than a number for each move."""
HASHES_AT_ONCE = 4_000_000
"""Hashes compared in memory at a time; more games are compared in several rounds, by hash."""


def merge(
    shards: Sequence[Shard],
    folder: Path,
    *,
    where: str | None,
    keep_duplicates: bool,
    shares: Mapping[Split, float],
) -> dict[str, Any]:
    """Fill `folder`, which lies beside the shards', with a corpus's files, its manifest apart; returns the
    counts for that."""
    names = sorted({name for shard in shards for name in shard.tag_names})
    kept = f"What was read is kept in {folder.parent}: the same command with another --where goes on from it"
    try:
        wanted = [_wanted(shard, where, names) for shard in shards]
    except ZeroplyError as error:
        raise ZeroplyError(f"{error}. {kept}") from None
    if not any(keep.any() for keep in wanted):
        raise ReadError(f"--where {where} leaves none of {sum(map(len, wanted)):,} games. {kept}")
    fresh = wanted if keep_duplicates else _first_occurrences(shards, wanted)
    counts = _counts(shards, wanted, fresh)
    with room_for(folder):
        _write_arrays(shards, fresh, folder, shares, counts)
        if names:
            _write_tags(shards, fresh, folder / "tags.parquet", names)
        _write_skipped(shards, folder / "skipped.txt")
    splits = np.load(folder / "splits.npy")
    counts["tags"] = len(names)
    counts["splits"] = {split.name: int((splits == split).sum()) for split in Split}
    return counts


def _wanted(shard: Shard, where: str | None, names: Sequence[str]) -> NDArray[np.bool_]:
    if where is None:
        return np.ones(shard.games, np.bool_)
    facts = {name: shard.array(name) for name in ("lengths", *FACTS)}
    games = games_table(facts, widened(shard.tags(), names, shard.games))
    return matching(games, where)


def _write_tags(
    shards: Sequence[Shard], fresh: Sequence[NDArray[np.bool_]], path: Path, names: Sequence[str]
) -> None:
    with TagWriter(path, names) as writer:
        for shard, keep in zip(shards, fresh, strict=True):
            table = widened(shard.tags(), names, shard.games)
            writer.write(kept_rows(table, keep))


def _write_skipped(shards: Sequence[Shard], path: Path) -> None:
    """Shards number their games from 1 each; here they are numbered through each file."""
    before = dict[tuple[Path, str], int]()
    with path.open("w", encoding="utf-8") as file:
        for shard in shards:
            source = shard.path.parent, shard.about["source"]
            earlier = before.get(source, 0)
            before[source] = earlier + shard.games + shard.bad
            for skipped in shard.skipped():
                file.write(f"{replace(skipped, number=earlier + skipped.number)}\n")


def _first_occurrences(
    shards: Sequence[Shard], wanted: Sequence[NDArray[np.bool_]]
) -> list[NDArray[np.bool_]]:
    """For each shard, which of its wanted games are the first with their hash."""
    fresh = [np.zeros(shard.games, np.bool_) for shard in shards]
    rounds = 1 + sum(shard.games for shard in shards) // HASHES_AT_ONCE
    for number in range(rounds):
        hashes, places = [], []
        for at, shard in enumerate(shards):
            own = shard.array("hashes")
            chosen = np.flatnonzero(wanted[at] & (own % np.uint64(rounds) == number))
            hashes.append(own[chosen])
            places.append(np.stack([np.full(len(chosen), at), chosen], 1))
        first = np.unique(np.concatenate(hashes), return_index=True)[1]
        found = np.concatenate(places)[np.sort(first)]  # in the order of the shards
        for at, own in enumerate(
            np.split(found[:, 1], np.searchsorted(found[:, 0], np.arange(1, len(shards))))
        ):
            fresh[at][own] = True
    return fresh


def _counts(
    shards: Sequence[Shard], wanted: Sequence[NDArray[np.bool_]], fresh: Sequence[NDArray[np.bool_]]
) -> dict[str, Any]:
    plies = positions = past = 0
    told = dict.fromkeys(ABSENT, 0)
    for shard, keep in zip(shards, fresh, strict=True):
        lengths = shard.array("lengths")
        plies += int(lengths[keep].sum())
        for name, absent in ABSENT.items():
            if shard.has(name):
                of_moves = shard.array(name)[np.repeat(keep, lengths)].reshape(int(lengths[keep].sum()), -1)
                told[name] += int((of_moves != absent).any(axis=1).sum())
        positions += int((shard.array("starts")[keep] >= 0).sum())
        past += int(shard.array("past")[keep].sum()) if shard.has("past") else 0
    games = sum(int(keep.sum()) for keep in fresh)
    asked = sum(int(keep.sum()) for keep in wanted)
    return {
        "games": games,
        "plies": plies,
        **told,
        **({"past": past} if past else {}),
        "positions": positions,
        "duplicates": asked - games,
        "filtered": sum(shard.games for shard in shards) - asked,
        "skipped": sum(shard.bad for shard in shards),
    }


def _write_arrays(
    shards: Sequence[Shard],
    fresh: Sequence[NDArray[np.bool_]],
    folder: Path,
    shares: Mapping[Split, float],
    counts: Mapping[str, Any],
) -> None:
    """Array after array, so that memory holds one shard's part of one array."""
    games, plies = counts["games"], counts["plies"]
    pairs = list(zip(shards, fresh, strict=True))

    def by_ply(name: str) -> Iterator[NDArray[Any]]:
        for shard, keep in pairs:
            chosen = np.repeat(keep, shard.array("lengths"))
            blank = np.full((int(chosen.sum()), *SHAPES.get(name, ())), ABSENT.get(name, 0))
            yield shard.array(name)[chosen] if shard.has(name) else blank

    def by_game(name: str) -> Iterator[NDArray[Any]]:
        return (shard.array(name)[keep] for shard, keep in pairs)

    def pasts() -> Iterator[NDArray[Any]]:
        for shard, keep in pairs:
            yield shard.array("past")[keep] if shard.has("past") else np.zeros(int(keep.sum()), np.uint16)

    def offsets() -> Iterator[NDArray[Any]]:
        yield np.zeros(1, np.int64)
        total = 0
        for lengths in by_game("lengths"):
            yield total + np.cumsum(lengths)
            total += int(lengths.sum())

    def starts() -> Iterator[NDArray[Any]]:
        total = 0
        for own in by_game("starts"):
            there = own >= 0
            yield np.where(there, total + np.cumsum(there) - 1, -1).astype(np.int32)
            total += int(there.sum())

    def positions() -> Iterator[NDArray[Any]]:
        for shard, keep in pairs:
            own = shard.array("starts")[keep]
            yield shard.array("positions")[own[own >= 0]]

    def splits() -> Iterator[NDArray[Any]]:
        return (split_of(hashes, shares) for hashes in by_game("hashes"))

    width = shards[0].array("positions").shape[1]
    write_npy(folder / "moves.npy", np.uint16, (plies,), by_ply("moves"))
    if counts["evaluations"]:
        write_npy(folder / "evaluations.npy", np.int16, (plies,), by_ply("evaluations"))
    if counts["lines"]:
        write_npy(folder / "lines.npy", np.int16, (plies, *SHAPES["lines"]), by_ply("lines"))
    if counts["clocks"]:
        write_npy(folder / "clocks.npy", np.uint32, (plies,), by_ply("clocks"))
    if counts.get("past"):
        write_npy(folder / "past.npy", np.uint16, (games,), pasts())
    write_npy(folder / "offsets.npy", np.int64, (games + 1,), offsets())
    for name in ("results", "years", "kinds"):
        write_npy(folder / f"{name}.npy", FACTS[name], (games,), by_game(name))
    write_npy(folder / "ratings.npy", FACTS["ratings"], (games, 2), by_game("ratings"))
    write_npy(folder / "starts.npy", np.int32, (games,), starts())
    write_npy(folder / "positions.npy", np.uint8, (counts["positions"], width), positions())
    write_npy(folder / "splits.npy", np.uint8, (games,), splits())
