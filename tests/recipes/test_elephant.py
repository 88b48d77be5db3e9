"""Seed 002 in its own numbers: sizes, losses, and how it chooses a move."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from tests.recipes.test_recipes import outputs, random_game, small
from tests.sources import CHESS, XIANGQI
from zeroply.corpus.sample.choice import Positions
from zeroply.corpus.score import Split
from zeroply.corpus.store import Corpus
from zeroply.errors import RecipeError
from zeroply.games import Position, Rows, stack
from zeroply.games.coordinates import coordinates
from zeroply.players.onnx import OnnxNetwork
from zeroply.players.policy import PolicyPlayer
from zeroply.players.torch import TorchNetwork
from zeroply.recipes import System, find_recipe, restore, save
from zeroply.recipes.base import parameters
from zeroply.recipes.plan import Epochs
from zeroply.training.command import main
from zeroply.training.export import export

SIZES = {"from_x": 9, "from_y": 10, "to_x": 9, "to_y": 10}


def default(**changes: str) -> System:
    return find_recipe("elephant").make(XIANGQI, changes)


def positions(count: int) -> list[Position]:
    found = [XIANGQI.start()]
    for move in random_game(XIANGQI, 5).moves[: count - 1]:
        found.append(found[-1].play(int(move)))
    return found


def test_default_sizes_and_shapes() -> None:
    system = default()
    tokens = system.encoding.streams["tokens"]
    assert (tokens.vocabulary, tokens.length) == (41, 509)
    rows = stack([position.row(127) for position in positions(3)])
    out = outputs(system, rows)
    assert {name: tuple(value.shape) for name, value in out.items()} == {
        "policy": (3, 2086),
        **{name: (3, 128, size) for name, size in SIZES.items()},
    }
    block = 4 * 256 * 256 + 4 * 256 + 2 * 256 * 1024 + 1024 + 256 + 4 * 256
    heads = 257 * (9 + 10 + 9 + 10)
    assert parameters(system.net) == (41 + 509) * 256 + 6 * block + 2 * 256 + heads == 4_889_638


def test_four_cross_entropies_are_summed() -> None:
    assert default().objective.weights == dict.fromkeys(SIZES, 1.0)


def test_the_seed_s_plan() -> None:
    plan = default().plan
    assert plan.patience == Epochs(2)
    assert plan.tests
    assert default(patience="0").plan.patience is None
    assert plan.sampling.positions is Positions.windows
    assert 2 * plan.sampling.window == 127 + 1
    assert default(conditioning="board").plan.sampling.positions is Positions.all


class Recorded(TorchNetwork):
    """A net without an opinion on who will win, whose last answers are kept."""

    def __call__(self, rows: Rows) -> dict[str, NDArray[np.float32]]:
        self.out = super().__call__(rows)
        return {**self.out, "wdl": np.zeros((len(rows["past"]), 3), np.float32)}


def by_the_seed(out: dict[str, NDArray[np.float32]], row: int, legal: Sequence[int]) -> str:
    """Step 5: the legal move with the highest sum of four log-probabilities."""
    scores = {}
    for number in legal:
        name = XIANGQI.moves.names[number]
        coordinates = ["abcdefghi".index(name[0]), int(name[1]), "abcdefghi".index(name[2]), int(name[3])]
        scores[name] = sum(out[head][row, -1, at] for head, at in zip(SIZES, coordinates, strict=True))
    return max(scores, key=lambda name: scores[name])


def test_it_plays_the_legal_move_that_its_four_heads_like_best() -> None:
    network = Recorded(small("elephant", "xiangqi"), {})
    boards = positions(40)
    chosen = PolicyPlayer(network).choose(boards)
    expected = [by_the_seed(network.out, row, board.legal().tolist()) for row, board in enumerate(boards)]
    assert [XIANGQI.moves.names[move] for move in chosen] == expected
    unhindered = network.out["policy"].argmax(1).tolist()
    assert chosen != unhindered  # legality mattered


def test_it_plays_legal_moves_to_the_end_of_a_game() -> None:
    player, position = PolicyPlayer(Recorded(small("elephant", "xiangqi"), {})), XIANGQI.start()
    while position.result() is None:
        position = position.play(player.choose([position])[0])
    assert position.ply > 20


def test_board_conditioning_is_kept_in_a_checkpoint(tmp_path: Path) -> None:
    small_options = {name: str(value) for name, value in find_recipe("elephant").small.items()}
    system = default(**small_options, conditioning="board")
    save(system, tmp_path / "m.safetensors", {})
    again, _ = restore(tmp_path / "m.safetensors")
    rows = stack([position.row(15) for position in positions(20)])
    torch.testing.assert_close(outputs(again, rows), outputs(system, rows))
    other = {**rows, "board": -rows["board"]}
    assert not torch.equal(outputs(again, rows)["policy"], outputs(again, other)["policy"])


@pytest.mark.slow
def test_board_conditioning_is_exported(tmp_path: Path) -> None:
    small_options = {name: str(value) for name, value in find_recipe("elephant").small.items()}
    system = default(**small_options, conditioning="board")
    save(system, tmp_path / "m.safetensors", {})
    export(tmp_path / "m.safetensors", tmp_path / "m.onnx")
    rows, network = stack([position.row(15) for position in positions(20)]), OnnxNetwork(tmp_path / "m.onnx")
    for name, value in outputs(system, rows).items():
        np.testing.assert_allclose(network(rows)[name], value, atol=2e-4, err_msg=name)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"history": "2"}, "history=2 is too short to learn by. Choose 3 or more"),
        ({"heads": "7"}, "width=256 cannot be shared by heads=7. Choose a multiple"),
        ({"conditioning": "hand"}, "option conditioning=hand of 'elephant' is not"),
    ],
)
def test_options_that_make_no_sense_are_refused(changes: dict[str, str], text: str) -> None:
    with pytest.raises(RecipeError, match=text):
        default(**changes)


def test_in_chess_a_fifth_coordinate_tells_what_a_pawn_becomes() -> None:
    system = find_recipe("elephant").make(CHESS, {"history": "7"})
    tokens = system.encoding.streams["tokens"]
    assert (tokens.vocabulary, tokens.length) == (3 + 4 * 8 + 5, 1 + 5 * 7)
    assert list(system.objective.weights) == [*SIZES, "promotion"]
    position = CHESS.start("8/4P3/8/8/8/2k5/8/2K5 w - - 0 1")
    queen, rook = (CHESS.moves.names.index(name) for name in ("e7e8q", "e7e8r"))
    read = system.encoding({"past": torch.as_tensor(position.play(queen).row(7)["past"])})["tokens"][0]
    assert read[:7].tolist() == [1, 3 + 4, 11 + 6, 19 + 4, 27 + 7, 35 + 4, 0]
    out = outputs(system, stack([position.row(7)]))
    difference = out["promotion"][0, -1, 4] - out["promotion"][0, -1, 3]
    torch.testing.assert_close(out["policy"][0, queen] - out["policy"][0, rook], difference)


def frequencies(corpus: Corpus) -> float:
    """NLL of the validation moves if each coordinate were as likely as among the training moves of its side:
    who moves is no secret even to a net that does not see a single move."""
    lengths = np.diff(corpus.offsets)
    split = np.repeat(corpus.array("splits"), lengths)
    side = (np.arange(lengths.sum()) - np.repeat(corpus.offsets[:-1], lengths)) % 2  # Red begins all of them
    nll = 0.0
    for coordinate in coordinates(XIANGQI):
        of = coordinate.of[corpus.moves.astype(np.int64)]
        counts = np.ones((2, coordinate.size))
        np.add.at(counts, (side[split == Split.train], of[split == Split.train]), 1)
        shares = np.log(counts / counts.sum(1, keepdims=True))
        nll -= float(shares[side[split == Split.validation], of[split == Split.validation]].mean())
    return nll


POSITIONS = 110_000
"""Learnt in all, about: of people's games it takes three epochs, of the sample's many."""


@pytest.mark.slow
def test_a_short_run_learns_more_than_frequencies(xiangqi_of_people: Path, tmp_path: Path) -> None:
    corpus = Corpus.open(xiangqi_of_people)
    quick = {**find_recipe("elephant").small, "epochs": max(1, round(POSITIONS / len(corpus.moves)))}
    settings = [f"--set={name}={value}" for name, value in quick.items()]
    main(["elephant", str(corpus.path), "--out", str(tmp_path / "run"), *settings])
    found = restore(tmp_path / "run")[1]["training"]["validation"]["validation_loss"]
    assert found < frequencies(corpus) - 0.5
