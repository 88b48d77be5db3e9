"""Which positions are labelled: all of a list, or some of a corpus by a rule. They become a file of FENs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zeroply.artefacts import new_file
from zeroply.corpus.readers.checked import named_line
from zeroply.corpus.readers.files import open_text
from zeroply.corpus.readers.pgn.legality import judged
from zeroply.corpus.replay import Replayed, replay_games
from zeroply.corpus.score import Split
from zeroply.corpus.store import Corpus
from zeroply.corpus.told import told
from zeroply.errors import ReadError, ZeroplyError
from zeroply.games import Game, Rows
from zeroply.games.notation import LED, fen_of, led_to
from zeroply.players.base import Network
from zeroply.players.chosen import player_of
from zeroply.players.labelling.places import PAST, Rule, drawn

AT_ONCE = 512
"""Positions that are replayed and shown to a net together."""

Keep = Callable[[Rows], NDArray[np.bool_]]
"""Which of some rows are wanted."""


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
        for places in drawn(corpus, rule, AT_ONCE):
            replayed, index = _replayed(corpus, places)
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
        yield _line(fen, [game.moves.names[move] for move in moves])


def _examined(game: Game, texts: Sequence[str]) -> tuple[list[str], list[str]]:
    """Positions of a list, each after the moves that led to it if they are told; and what is wrong with the
    lines that are none."""
    told = [led_to(text) for text in texts]
    rows, flaws = game.examined([fen_of(fen.split()) for fen, _ in told])
    fens = dict(zip((at for at in range(len(texts)) if at not in flaws), game.fens(rows), strict=True))
    led = [at for at in fens if told[at][1]]
    lines = judged(game, [named_line(told[at][1], game) for at in led], [fens[at] for at in led])
    flaws |= {at: line for at, line in zip(led, lines, strict=True) if isinstance(line, str)}
    sound = [_line(fen, told[at][1]) for at, fen in fens.items() if at not in flaws]
    return sound, list(flaws.values())


def _line(fen: str, moves: Sequence[str]) -> str:
    return " ".join([fen, LED, *moves] if moves else [fen])


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
