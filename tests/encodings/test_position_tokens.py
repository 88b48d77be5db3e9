"""A position's tokens, number by number."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from tests.recipes.test_recipes import GAMES, mirrored_fen
from tests.sources import CHESS
from zeroply.corpus.score import Score
from zeroply.encodings.position_tokens import Facing, PositionTokens

WHITE = "r3k3/8/8/3pP3/8/8/8/4K2R w Kq d6 25 40"
"""White may take en passant; he castles short, Black long."""


def streams(fen: str, facing: Facing) -> dict[str, Tensor]:
    rows = {name: torch.as_tensor(column) for name, column in CHESS.start(fen).row(0).items()}
    found: dict[str, Tensor] = PositionTokens(CHESS, facing=facing)(rows)
    return found


def placed(squares: Tensor) -> dict[int, int]:
    """Tokens that are not empty, with their states."""
    return {at: int(state) for at, state in enumerate(squares[0]) if state}


@pytest.mark.parametrize("facing", Facing)
def test_white_to_move(facing: Facing) -> None:
    found = streams(WHITE, facing)
    # a8 is the first token, h1 the last: rook and king of Black, pawns d5 and e5, king and rook of White.
    assert placed(found["squares"]) == {0: 10, 4: 12, 27: 7, 28: 1, 60: 6, 63: 4}
    assert found["flags"].tolist() == [[0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0]]
    assert found["repeats"].tolist() == [[0]]
    assert found["halfmove"].tolist() == [[[0.5]]]
    torch.testing.assert_close(found["fullmove"], torch.tensor([[[0.40]]]))
    assert not found["flipped"].any()


def test_black_to_move_as_white_and_black_see_it() -> None:
    black = "r3k3/8/8/8/3pP3/8/8/4K2R b Kq e3 25 40"
    found = streams(black, Facing.absolute)
    assert placed(found["squares"]) == {0: 10, 4: 12, 35: 7, 36: 1, 60: 6, 63: 4}
    assert found["flags"].tolist() == [[1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0]]
    assert not found["flipped"].any()


@pytest.mark.parametrize("game", GAMES["chess"][:4])
def test_the_mover_sees_a_position_as_its_mirror(game: Score) -> None:
    position = CHESS.start(game.start)
    for move in game.moves:
        position = position.play(int(move))
        fen = position.fen().split()
        other = mirrored_fen(position.fen()).split()
        if fen[3] != "-":
            other[3] = fen[3][0] + {"3": "6", "6": "3"}[fen[3][1]]
        here, there = (streams(" ".join(text), Facing.mover) for text in (fen, other))
        assert bool(here.pop("flipped")) != bool(there.pop("flipped"))
        for name, stream in here.items():
            assert torch.equal(stream, there[name]), name


def test_absolute_streams_tell_who_moves() -> None:
    kings = "8/8/8/4k3/8/4K3/8/8 {} - - 0 1"
    here, there = (streams(kings.format(turn), Facing.absolute) for turn in "wb")
    assert torch.equal(here["squares"], there["squares"])
    assert (here["flags"] != there["flags"]).sum() == 1


def test_counts_end_where_nothing_new_is_said() -> None:
    rows = {name: torch.as_tensor(column) for name, column in CHESS.start(WHITE).row(0).items()}
    rows |= {"repeats": torch.tensor([127], dtype=torch.int8), "halfmove": torch.tensor([9999])}
    found = PositionTokens(CHESS, facing=Facing.mover)(rows)
    assert found["repeats"].tolist() == [[3]]
    assert found["halfmove"].tolist() == [[[2.0]]]
