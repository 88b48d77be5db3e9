"""Sources to a corpus: every game once, split by its hash, written whole or not at all."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from zeroply.artefacts import digest_of, new_folder, write_json
from zeroply.corpus.readers import Skipped, read
from zeroply.corpus.score import NO_EVALUATION, UNKNOWN_RESULT, Score, Split
from zeroply.corpus.store import SCHEMA, pack_position
from zeroply.errors import ReadError
from zeroply.games import Game
from zeroply.games.stamp import stamp

Items: TypeAlias = Iterator[Score | Skipped]

SHARES = {Split.validation: 0.01, Split.test: 0.01}
"""Parts of the games that training never sees, unless others are asked for."""


@dataclass
class Draft:
    """A corpus in memory while it grows."""

    game: Game
    moves: array[int] = field(default_factory=lambda: array("H"))
    evaluations: array[int] = field(default_factory=lambda: array("h"))
    lengths: array[int] = field(default_factory=lambda: array("q"))
    facts: list[tuple[int, int, int, int, int, int]] = field(default_factory=list)
    """Result, both ratings, year, kind, start of each game."""
    positions: list[NDArray[np.uint8]] = field(default_factory=list)
    tags: list[dict[str, str]] = field(default_factory=list)

    def add(self, score: Score) -> None:
        start = -1
        if score.start is not None:
            start = len(self.positions)
            self.positions.append(pack_position(self.game, self.game.start(score.start).row(0)))
        self.moves.frombytes(np.asarray(score.moves, np.uint16).tobytes())
        evaluations = score.evaluations if len(score.evaluations) else [NO_EVALUATION] * len(score.moves)
        self.evaluations.frombytes(np.asarray(evaluations, np.int16).tobytes())
        self.lengths.append(len(score.moves))
        result = UNKNOWN_RESULT if score.result is None else round(2 * score.result)
        self.facts.append((result, *score.ratings, score.year, score.kind, start))
        self.tags.append(dict(score.tags))


def game_hashes(
    moves: NDArray[Any], offsets: NDArray[np.int64], salts: NDArray[np.uint64]
) -> NDArray[np.uint64]:
    """[games] 64-bit hashes of the move lists; `salts` tells games from other start positions apart."""
    ply = np.arange(len(moves)) - np.repeat(offsets[:-1], np.diff(offsets))
    mixed = _mix(moves.astype(np.uint64) + (ply.astype(np.uint64) << np.uint64(16)))
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(mixed, dtype=np.uint64)])
    return _mix(sums[offsets[1:]] - sums[offsets[:-1]] + salts)


def _mix(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finaliser of splitmix64: every input bit moves every output bit."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def split_of(hashes: NDArray[np.uint64], shares: Mapping[Split, float] = SHARES) -> NDArray[np.uint8]:
    """[games] `Split` by hash: a game falls into the same part of every corpus with the same shares."""
    unit = hashes.astype(np.float64) / 2.0**64
    splits = np.full(len(hashes), Split.train, np.uint8)
    upper = 1.0
    for split in (Split.validation, Split.test):  # always in this order, whatever the mapping's
        share = shares.get(split, 0.0)
        splits[(unit >= upper - share) & (unit < upper)] = split
        upper -= share
    return splits


def build(
    out: Path,
    sources: Sequence[Path],
    game: Game,
    *,
    shares: Mapping[Split, float] = SHARES,
    progress: Callable[[Items, Path], Items] = lambda items, _: items,
) -> dict[str, Any]:
    """Read every source into a new corpus; returns its manifest. Bad games are skipped and listed."""
    if out.exists():
        raise ReadError(f"{out} exists. Choose another folder or remove it first")
    draft, skipped = Draft(game), list[str]()
    for source in sources:
        for item in progress(read(source, game), source):
            if isinstance(item, Skipped):
                skipped.append(str(item))
            else:
                draft.add(item)
    if not draft.lengths:
        first = f" First reason: {skipped[0]}" if skipped else ""
        raise ReadError(f"no game could be read from {', '.join(map(str, sources))}.{first}")
    with new_folder(out) as folder:
        manifest = _write(draft, folder, shares)
        manifest["skipped"] = len(skipped)
        manifest["shares"] = {split.name: shares.get(split, 0.0) for split in (Split.validation, Split.test)}
        manifest["sources"] = [
            {"name": source.name, "sha256": digest_of(source) if source.is_file() else None}
            for source in sources
        ]
        if skipped:
            (folder / "skipped.txt").write_text("\n".join(skipped) + "\n", encoding="utf-8")
        write_json(folder / "manifest.json", manifest)
    return manifest


def _write(draft: Draft, folder: Path, shares: Mapping[Split, float]) -> dict[str, Any]:
    moves = np.frombuffer(draft.moves, np.uint16)
    evaluations = np.frombuffer(draft.evaluations, np.int16)
    offsets = np.concatenate([[0], np.cumsum(np.frombuffer(draft.lengths, np.int64))])
    facts = np.array(draft.facts, np.int64)
    positions = np.array(draft.positions, np.uint8) if draft.positions else np.empty((0, 0), np.uint8)
    salts = np.zeros(len(facts), np.uint64)
    for number, start in enumerate(facts[:, 5]):
        if start >= 0:
            salts[number] = _mix(
                positions[start].astype(np.uint64)
                + np.arange(positions.shape[1], dtype=np.uint64) * np.uint64(256)
            ).sum()
    hashes = game_hashes(moves, offsets, salts)
    kept = np.sort(np.unique(hashes, return_index=True)[1])
    lengths = np.diff(offsets)
    plies = np.repeat(np.isin(np.arange(len(hashes)), kept), lengths)
    arrays: dict[str, NDArray[Any]] = {
        "moves": moves[plies],
        "offsets": np.concatenate([[0], np.cumsum(lengths[kept])]),
        "results": facts[kept, 0].astype(np.uint8),
        "ratings": facts[kept, 1:3].astype(np.uint16),
        "years": facts[kept, 3].astype(np.uint16),
        "kinds": facts[kept, 4].astype(np.uint8),
        "starts": facts[kept, 5].astype(np.int32),
        "positions": positions,
        "splits": split_of(hashes[kept], shares),
    }
    if (evaluations != NO_EVALUATION).any():
        arrays["evaluations"] = evaluations[plies]
    for name, values in arrays.items():
        np.save(folder / f"{name}.npy", values, allow_pickle=False)
    if any(draft.tags):
        from zeroply.corpus.tags import write_tags  # pyarrow, only where there are tags

        write_tags(folder / "tags.parquet", [draft.tags[number] for number in kept])
    return {
        "schema": SCHEMA,
        **stamp(draft.game),
        "games": len(kept),
        "plies": len(arrays["moves"]),
        "duplicates": len(facts) - len(kept),
        "splits": {split.name: int((arrays["splits"] == split).sum()) for split in Split},
        "evaluations": int((arrays["evaluations"] != NO_EVALUATION).sum()) if "evaluations" in arrays else 0,
    }
