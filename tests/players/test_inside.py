"""Where a net looks, on the board: the right squares, whoever moves and whatever else is a token."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from tests.recipes.test_recipes import CASES, Case, label, small
from tests.shipped import BLOCKS, HEADS, NO_SUCH_HEAD, NO_SUCH_LAYER
from tests.sources import CHESS, XIANGQI
from zeroply.corpus.told import told
from zeroply.errors import ZeroplyError
from zeroply.games import Game
from zeroply.nets.attention import layers_of
from zeroply.players.inside import attention_on_board, layers_with_squares
from zeroply.players.load import load_network
from zeroply.players.onnx import OnnxNetwork
from zeroply.players.torch import TorchNetwork
from zeroply.recipes import System, save
from zeroply.training.export import export

FENS = {
    "chess": ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"),
    "xiangqi": ("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1", "4k4/9/9/9/9/9/9/9/9/3K5 b - - 0 1"),
}
"""Hardly anything on the board, either side to move."""
PERSONA = {"rating": 2500, "opponent_rating": 2500, "kind": 0}


def token_inputs(system: System, rows: dict[str, Any]) -> list[Tensor]:
    """[L, D] of each layer with squares: its tokens, before any looks at another."""
    seen: list[Tensor] = []
    shown = [layer for layer, squares in layers_of(system.net) if squares]
    hooks = [layer.register_forward_pre_hook(lambda _, given: seen.append(given[0][0])) for layer in shown]
    with torch.inference_mode():
        system.net(system.encoding({name: torch.as_tensor(rows[name]) for name in system.encoding.reads}))
    for hook in hooks:
        hook.remove()
    return seen


@pytest.mark.parametrize("case", CASES, ids=label)
def test_a_piece_changes_the_token_of_its_own_square_and_no_other_square(case: Case) -> None:
    system = small(*case)
    network = TorchNetwork(system, {})
    if not layers_with_squares(network):
        assert system.recipe == "elephant"  # whose tokens are moves, unless it is shown the board
        pytest.skip("it has no squares")
    (layer, *_) = layers_with_squares(network).values()
    turned = list[bool]()
    for fen in FENS[system.game.name]:
        rows = system.game.start(fen).row(system.encoding.history) | told(1, **PERSONA)
        turned.append(bool(network.look_inside(rows).flipped[0]))
        tokens = np.array(layer.squares)[system.game.mirror] if turned[-1] else np.array(layer.squares)
        before = token_inputs(system, rows)[0]
        # Corners tell both axes apart; of the others some that lie on no axis of symmetry.
        for square in (0, system.game.files - 1, 17, 30, len(tokens) - 1):
            board = rows["board"].copy()
            board[0, square] = 1 if board[0, square] == 0 else 0
            after = token_inputs(system, {**rows, "board": board})[0]
            changed = set(np.flatnonzero((before != after).any(1).numpy()).tolist())
            assert changed & set(tokens.tolist()) == {int(tokens[square])}, (fen, square)
    if system.recipe == "intuition":
        assert turned == [False, True]


def test_smolgen_begins_with_cls_and_the_far_rank() -> None:
    network = TorchNetwork(small("smolgen", "chess"), {})
    white, black = (CHESS.start(fen) for fen in FENS["chess"])
    a1, h8, b1 = 0, 63, 1
    for position, far_left in ((white, 56), (black, 0)):  # a8 for White, a1 for Black
        rows = position.row(0) | told(1, **PERSONA)
        by_hand = network.look_inside(rows).attention[0][0, 2]
        found = attention_on_board(network, position, PERSONA, layer=0, head=2)
        place = {square: 1 + (square ^ (0 if far_left == 0 else 56)) for square in (a1, h8, b1)}
        assert found[a1, h8] == by_hand[place[a1], place[h8]]
        assert found[b1, a1] == by_hand[place[b1], place[a1]]
        assert (found.sum(1) < 1).all(), "CLS and flags take a share"


@pytest.mark.parametrize("game", [CHESS, XIANGQI], ids=lambda game: game.name)
def test_who_faces_the_mover_sees_mirrored_boards_alike(game: Game) -> None:
    network = TorchNetwork(small("intuition", game.name), {})
    first, second = (
        game.start(fen)
        for fen in {
            "chess": ("4k3/8/8/3p4/8/8/P7/4K3 w - - 0 1", "4k3/p7/8/8/3P4/8/8/4K3 b - - 0 1"),
            "xiangqi": (
                "3k5/9/9/p8/9/9/4P4/9/9/4K4 w - - 0 1",
                "4k4/9/9/4p4/9/9/P8/9/9/3K5 b - - 0 1",
            ),
        }[game.name]
    )
    mine = attention_on_board(network, first, PERSONA, layer=1, head=None)
    theirs = attention_on_board(network, second, PERSONA, layer=1, head=None)
    assert np.abs(mine - mine[game.mirror][:, game.mirror]).max() > 1e-4, "the test could not fail"
    np.testing.assert_allclose(mine, theirs[game.mirror][:, game.mirror], atol=1e-6)
    np.testing.assert_allclose(mine.sum(1), 1, atol=1e-5)


def test_causal_centaur_looks_at_no_square_behind() -> None:
    network = TorchNetwork(small("centaur", "chess"), {})
    found = attention_on_board(network, CHESS.start(), PERSONA, layer=0, head=None)
    assert (np.triu(found, 1) == 0).all()
    assert found[0, 0] == pytest.approx(1), "a1 sees itself alone"


def test_castle_shows_the_layers_of_its_board_alone() -> None:
    network = TorchNetwork(small("castle", "chess"), {})
    assert [bool(layer.squares) for layer in network.layers] == [False, True]
    found = attention_on_board(network, CHESS.start(), PERSONA, layer=0, head=3)
    rows = CHESS.start().row(network.history) | told(1)
    np.testing.assert_array_equal(found, network.look_inside(rows).attention[1][0, 3])


def test_what_is_not_there_is_one_line() -> None:
    elephant, bundled = TorchNetwork(small("elephant", "xiangqi"), {}), load_network("chess")
    for network, asked, hint in (
        (elephant, {"layer": 0, "head": 0}, "does not show where it looks"),
        (bundled, {"layer": BLOCKS, "head": 0}, NO_SUCH_LAYER),
        (bundled, {"layer": -1, "head": 0}, "no layer -1"),
        (bundled, {"layer": 0, "head": HEADS}, NO_SUCH_HEAD),
    ):
        with pytest.raises(ZeroplyError, match=hint):
            attention_on_board(network, network.game.start(), PERSONA, **asked)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=label)
def test_the_exported_file_says_the_same_of_its_layers(case: Case, tmp_path: Path) -> None:
    system = small(*case)
    save(system, tmp_path / "m.safetensors", {"steps": 0})
    export(tmp_path / "m.safetensors", tmp_path / "m.onnx")
    assert OnnxNetwork(tmp_path / "m.onnx").layers == TorchNetwork(system, {}).layers


def test_bundled_nets_have_squares_for_tokens() -> None:
    for name, squares, depth, heads in (("chess", 64, BLOCKS, HEADS), ("xiangqi", 90, 8, 8)):
        layers = load_network(name).layers
        assert [(layer.heads, layer.squares) for layer in layers] == [(heads, tuple(range(squares)))] * depth
