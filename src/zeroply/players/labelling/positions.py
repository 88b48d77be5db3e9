"""Which positions are labelled: all of a list, or some of a corpus by a rule. They become a file of FENs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zeroply.artefacts import new_file
from zeroply.corpus.hashes import mix
from zeroply.corpus.readers.files import open_text
from zeroply.corpus.replay import Replayed, replay_games
from zeroply.corpus.sample.movers import Movers
from zeroply.corpus.sample.occurrences import occurrences
from zeroply.corpus.score import Split
from zeroply.corpus.store import Corpus
from zeroply.corpus.told import told
from zeroply.errors import ReadError, ZeroplyError
from zeroply.games import Game, Rows
from zeroply.games.notation import LED, fen_of, led_to
from zeroply.players.base import Network
from zeroply.players.kinds import player_of

PLIES_AT_ONCE = 2**22
"""Of a corpus looked at together."""
PAST = 8
"""Moves before a position that are told with it, to the engine and to who learns from its answer: they show
what was played last, and whether the position was there before."""
AT_ONCE = 512
"""Positions that are replayed and shown to a net together."""

Keep = Callable[[Rows], NDArray[np.bool_]]
"""Which of some rows are wanted."""


@dataclass(frozen=True, kw_only=True)
class Rule:
    """Positions of a corpus, uniformly over the different ones."""

    split: Split | None = Split.train
    """None for all."""
    limit: int | None = None
    seed: int = 0
    stray: float = 0.0
    """Share of them that are taken one random legal move later: where somebody has erred."""
    repeated: bool = False
    """Only those that were there before in their game: where it matters what has been played."""


def write_list(source: Path, game: Game, out: Path, limit: int | None = None) -> dict[str, int]:
    """The positions of a text file, one FEN or EPD a line, up to so many lines; how many were taken, and how
    many lines are no positions."""
    taken = bad = 0
    first = ""
    with new_file(out) as building, building.open("w", encoding="utf-8") as file, open_text(source) as lines:
        for block in _blocks(islice(lines, limit)):
            sound, flaws = _examined(game, block)
            file.writelines(f"{line}\n" for line in sound)
            taken, bad, first = taken + len(sound), bad + len(flaws), first or next(iter(flaws), "")
        if not taken:
            raise ReadError(f"{source} holds no positions, one FEN a line. {first}".strip())
    return {"positions": taken, "skipped": bad}


def write_chosen(
    corpus: Corpus, rule: Rule, out: Path, *, keep: Keep | None = None, history: int = 0
) -> dict[str, int]:
    """Positions of a corpus by a rule and, with `keep`, only such as it wants: it is shown rows with so much
    history. They come in random order, so that what was done of them is a fair sample at any time."""
    taken, seen, chance = 0, 0, np.random.default_rng(rule.seed)
    with new_file(out) as building, building.open("w", encoding="utf-8") as file:
        for places in _drawn(corpus, rule):
            replayed, index = _replayed(corpus, places)
            if rule.repeated:
                index = index[replayed.state["repeats"][index] > 0]
            if keep is not None:
                index = index[keep(replayed.take(index, history))]
            if rule.limit is not None:
                index = index[: rule.limit - taken]
            astray = chance.random(len(index)) < rule.stray
            strays = np.full(len(index), -1)
            strays[astray] = _random_moves(corpus.game, replayed, index[astray], chance)
            file.writelines(f"{line}\n" for line in _told(corpus.game, replayed, index, strays))
            taken, seen = taken + len(index), seen + len(places)
            if taken == rule.limit:
                break
        if not taken:
            raise ReadError(f"{corpus.path} has no such positions in its {_named(rule.split)} part")
    return {"positions": taken, "looked_at": seen}


def differing(network: Network, corpus: Corpus) -> Keep:
    """Wants positions in which another move was played than the net, at its best, likes most of the legal
    ones."""
    game = network.game
    if game.name != corpus.game.name:
        raise ZeroplyError(f"the model plays {game.name}; {corpus.path} holds {corpus.game.name}")
    if "policy" not in network.outputs:
        raise ZeroplyError("the model of --differs has no policy. Choose one that has")
    best = player_of(network).told

    def differ(rows: Rows) -> NDArray[np.bool_]:
        policy = network({**rows, **told(len(rows["move"]), **best)})["policy"]
        liked = np.where(game.legal(rows), policy, -np.inf).argmax(axis=1)
        different: NDArray[np.bool_] = liked != rows["move"]
        return different

    return differ


def _drawn(corpus: Corpus, rule: Rule) -> Iterator[NDArray[np.int64]]:
    """One place among the corpus's plies for each different position, in random order, some hundreds at a
    time. Places are ordered by a hash, one stretch of its values after the other: memory holds few."""
    counted = occurrences(corpus, Movers.both, np.empty(0))
    stretches = 1 + len(counted) // PLIES_AT_ONCE
    for stretch in range(stretches):
        found, hashes = [np.empty(0, np.int64)], [np.empty(0, np.uint64)]
        for first in range(0, len(counted), PLIES_AT_ONCE):
            turn, of = counted[first : first + PLIES_AT_ONCE].T
            places = first + np.flatnonzero((turn == 0) & (of > 0))
            if rule.split is not None:
                games = np.searchsorted(corpus.offsets, places, side="right") - 1
                places = places[corpus.splits[games] == rule.split]
            own = mix(places.astype(np.uint64) + mix(np.array([rule.seed], np.uint64)))
            mine = (own >> np.uint64(32)) * np.uint64(stretches) >> np.uint64(32) == stretch
            found.append(places[mine])
            hashes.append(own[mine])
        order = np.concatenate(found)[np.argsort(np.concatenate(hashes))]
        for first in range(0, len(order), AT_ONCE):
            yield order[first : first + AT_ONCE]


def _replayed(corpus: Corpus, places: NDArray[np.int64]) -> tuple[Replayed, NDArray[np.int64]]:
    """The games of these plies of the corpus, and where the plies stand among theirs, in their order."""
    games = np.searchsorted(corpus.offsets, places, side="right") - 1
    different, which = np.unique(games, return_inverse=True)
    lengths = corpus.lengths_of(different)
    begin = np.cumsum(lengths) - lengths
    return replay_games(corpus, different, np.empty(0)), begin[which] + places - corpus.offsets[games]


def _random_moves(
    game: Game, replayed: Replayed, index: NDArray[np.int64], chance: np.random.Generator
) -> NDArray[np.int64]:
    """[N] a random legal move in each of these positions."""
    legal = game.legal({name: replayed.state[name][index] for name in game.columns})
    drawn: NDArray[np.int64] = (legal * (1 + chance.random(legal.shape, np.float32))).argmax(axis=1)
    return drawn


def _told(
    game: Game, replayed: Replayed, index: NDArray[np.int64], strays: NDArray[np.int64]
) -> Iterator[str]:
    """Each position as the moves that led to it from another, and one more where `strays` [N] has it."""
    begin = np.maximum(replayed.first[index], index - PAST)
    fens = game.fens({name: replayed.state[name][begin] for name in game.columns})
    for fen, first, at, stray in zip(fens, begin.tolist(), index.tolist(), strays.tolist(), strict=True):
        moves = [*replayed.moves[first:at].tolist(), *([stray] if stray >= 0 else [])]
        yield " ".join([fen, LED, *(game.moves.names[move] for move in moves)] if moves else [fen])


def _examined(game: Game, texts: Sequence[str]) -> tuple[list[str], list[str]]:
    """Positions of a list, each after the moves that led to it if they are told; and what is wrong with the
    lines that are none."""
    rows, bad = game.examined([fen_of(led_to(text)[0].split()) for text in texts])
    fens = iter(game.fens(rows))
    sound, flaws = list[str](), list(bad.values())
    for at, text in enumerate(texts):
        if at in bad:
            continue
        fen, moves = next(fens), led_to(text)[1]
        try:
            _play(game, fen, moves)
            sound.append(" ".join([fen, LED, *moves] if moves else [fen]))
        except ZeroplyError as error:
            flaws.append(str(error))
    return sound, flaws


def _play(game: Game, fen: str, moves: Sequence[str]) -> None:
    """An error where one of the moves is none."""
    if not moves:
        return  # most lists have none, and their positions are examined together
    position = game.start(fen)
    for move in moves:
        position = position.play(game.moves.number(move))


def _blocks(lines: Iterator[str]) -> Iterator[list[str]]:
    block: list[str] = []
    for line in lines:
        if line.strip() and not line.startswith("#"):
            block.append(line)
        if len(block) == AT_ONCE:
            yield block
            block = []
    yield block


def _named(split: Split | None) -> str:
    return "whole" if split is None else split.name
