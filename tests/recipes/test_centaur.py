"""Seed 004's numbers, tokens, labels and play."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from tests.recipes.by_heart import learnt
from tests.recipes.real_games import games_of_engines
from tests.sources import CHESS, sample_games
from zeroply.corpus.build import build
from zeroply.corpus.sample.labelled import Part
from zeroply.corpus.score import Split
from zeroply.corpus.store import Corpus
from zeroply.encodings.board_tokens import BoardTokens
from zeroply.games import stack
from zeroply.games.chess.bulk import in_check
from zeroply.heads.scalars import Value
from zeroply.nets.net import Net
from zeroply.nets.trunk import Block, Trunk
from zeroply.objectives.value import ResultCrossEntropy
from zeroply.players import player_of
from zeroply.players.torch import TorchNetwork
from zeroply.recipes import System, find_recipe, restore
from zeroply.recipes.base import parameters
from zeroply.training.command import main

CLS = 68
FIRST_WORDS = [13, 15, 15, 19, 21]
"""Of the colours, of castling for each side, of check, CLS."""


def tokens(*fens: str) -> torch.Tensor:
    rows = stack([CHESS.start(fen).row(0) for fen in fens])
    encode = BoardTokens(CHESS, in_check=in_check)
    found: torch.Tensor = encode({name: torch.as_tensor(column) for name, column in rows.items()})["tokens"]
    return found


def built(**settings: str) -> System:
    torch.manual_seed(0)
    return find_recipe("centaur").make(CHESS, settings)


def test_the_defaults_are_those_of_the_seed() -> None:
    system = built()
    stream = system.encoding.streams["tokens"]
    assert (stream.length, stream.vocabulary) == (64 + 1 + 2 + 1 + 1, 13 + 2 + 4 + 2 + 1)
    net = system.net
    assert isinstance(net, Net)
    trunk, value = net.trunk, net.heads["value"]
    assert isinstance(trunk, Trunk)
    assert isinstance(value, Value)
    assert isinstance(value.layers, nn.Sequential)
    assert len(trunk.blocks) == 10
    (block, *_) = trunk.blocks
    assert isinstance(block, Block)
    assert (block.attention.heads, block.attention.qkv.in_features) == (16, 128)
    layers = [layer for layer in value.layers if isinstance(layer, nn.Linear)]
    assert [layer.out_features for layer in layers] == [128, 128, 1]
    # Twelve width squared a block, the classifier, the tables; and offsets and norms.
    matrices = 10 * 12 * 128**2 + 2 * 128**2 + 128 + (22 + 69) * 128
    assert 0 < parameters(net) - matrices < 20_000
    assert parameters(net) == 2_027_777  # as docs/recipes/centaur.md has it
    assert list(net.heads) == ["value"]


def test_squares_are_thirteen_words_from_a1_on() -> None:
    (start,) = tokens(CHESS.start().fen())
    assert (start[:64] - 6).tolist() == CHESS.start().row(0)["board"][0].tolist()
    assert set(start[:64].tolist()) == set(range(13))


def test_extra_tokens_tell_colour_castling_and_check_and_cls_is_last() -> None:
    found = tokens(
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b Qk - 0 1",
        "4k3/8/8/8/7b/8/8/4K3 w - - 0 1",
    )
    extra = found[:, 64:] - torch.tensor(FIRST_WORDS)
    assert extra.tolist() == [[0, 3, 3, 0, 0], [1, 1, 2, 0, 0], [1, 2, 1, 0, 0], [0, 0, 0, 1, 0]]


def test_labels_are_soft() -> None:
    term = ResultCrossEntropy()
    outcome = torch.tensor([0, 1, 2, -1])
    value = torch.tensor([0.9, 0.6, 0.2, 0.999])
    wanted = -(math.log(0.9) + 0.5 * math.log(0.6) + 0.5 * math.log(0.4) + math.log(0.8)) / 3
    assert float(term({"value_logit": value.logit()}, {"outcome": outcome})) == pytest.approx(wanted)
    assert float(term.least({"outcome": outcome})) == pytest.approx(math.log(2) / 3, abs=1e-5)


def test_nothing_is_learnt_from_games_without_a_result() -> None:
    logit = torch.tensor([40.0, -40.0], requires_grad=True)
    loss = ResultCrossEntropy()({"value_logit": logit}, {"outcome": torch.tensor([-1, -1])})
    loss.backward()  # type: ignore[no-untyped-call]  # torch's own
    assert float(loss.detach()) == 0
    assert logit.grad is not None
    assert not logit.grad.any()


def test_who_is_wrong_and_sure_learns_most() -> None:
    logit = torch.tensor([17.0, -40.0, 0.0], requires_grad=True)
    loss = ResultCrossEntropy()({"value_logit": logit}, {"outcome": torch.tensor([2, 0, 2])})
    loss.backward()  # type: ignore[no-untyped-call]  # torch's own
    assert logit.grad is not None
    torch.testing.assert_close(3 * logit.grad, torch.tensor([1.0, -1.0, 0.5]))


@pytest.mark.parametrize("causal", ["true", "false"])
def test_cls_sees_every_token_and_squares_only_what_came_before(causal: str) -> None:
    system = built(causal=causal, depth="2")
    stream = tokens(CHESS.start().fen()).repeat(70, 1)
    for place in range(69):
        stream[place + 1, place] = (stream[place + 1, place] + 1) % 22
    net = system.net
    assert isinstance(net, Net)
    with torch.inference_mode():
        streams = {"tokens": stream}
        x = net.trunk(net.embed(streams), net.mask and net.mask(streams))
    assert (x[1:, CLS] != x[0, CLS]).any(1).all()
    later = [(x[place + 1, :place] == x[0, :place]).all() for place in range(1, 69)]
    assert all(later) == (causal == "true")


def test_it_looks_one_ply_ahead_for_either_side() -> None:
    system = built(depth="1")
    player = player_of(TorchNetwork(system, {}))
    assert player.look == "successors"
    mates = ["6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "r5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1"]
    looks = player.glance([CHESS.start(fen) for fen in mates])
    assert [CHESS.moves.names[glance.moves[0]] for glance in looks] == ["a1a8", "a8a1"]
    assert all(glance.expected == 1 and glance.wdl is None for glance in looks)


@pytest.mark.slow
def test_it_learns_who_will_win() -> None:
    """With either colour to move: a value is from the mover's view."""
    system = find_recipe("centaur").make_small(CHESS)
    game = sample_games()[0]
    rows, position = [], CHESS.start()
    for move in game.moves[:40]:
        rows.append(position.row(0))
        position = position.play(int(move))
    batch = {name: torch.as_tensor(column) for name, column in stack(rows).items()}
    batch["outcome"] = 2 * batch["turn"].long()  # White wins
    learnt(system, batch, 60)
    value = system.net(system.encoding(batch))["value"].detach()
    assert (value[batch["turn"] == 0] > 0.9).all()
    assert (value[batch["turn"] == 1] < 0.1).all()


def points(corpus: Corpus, split: Split, turn: int) -> torch.Tensor:
    """The mover's points in all positions of a part where that side is to move."""
    part = Part(corpus, split, np.empty(0))
    games = part.replay(np.arange(len(part.games)))
    rows = games.take(np.arange(len(games)), 0)
    return 1 - torch.as_tensor(rows["outcome"][rows["turn"] == turn]).float() / 2


def frequencies(corpus: Corpus) -> float:
    """The loss of who expects for either side what it had in the mean of the training positions."""
    sides = [points(corpus, Split.validation, turn) for turn in (0, 1)]
    means = [points(corpus, Split.train, turn).mean().expand(len(side)) for turn, side in enumerate(sides)]
    return float(nn.functional.binary_cross_entropy(torch.cat(means), torch.cat(sides)))


@pytest.mark.slow
def test_a_short_run_on_games_of_engines_learns_more_than_frequencies(tmp_path: Path) -> None:
    """Of won games alone: draws, more than half of all, have nothing to tell apart. A game has one result,
    however many positions: hence many games."""
    corpus, run = tmp_path / "corpus", tmp_path / "run"
    source, shares = games_of_engines(1000, tmp_path / "games"), {Split.validation: 0.1}
    build(corpus, [source], CHESS, where="result <> 0.5", shares=shares)
    small = {"width": 64, "depth": 1, "heads": 4, "inner": 128, "rate": 0.001, "steps": 375}
    main(
        [
            "centaur",
            str(corpus),
            "--out",
            str(run),
            *(f"--set={name}={value}" for name, value in small.items()),
        ]
    )
    found = restore(run)[1]["training"]["validation"]["validation_value"]
    assert found < frequencies(Corpus.open(corpus)) - 0.05
