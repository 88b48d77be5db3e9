"""Four heads, one policy: what they say together about each move, and what they leave off the table."""

from __future__ import annotations

import torch

from tests.sources import XIANGQI
from zeroply.heads.coordinates import Coordinates

SIZES = {"from_x": 9, "from_y": 10, "to_x": 9, "to_y": 10}


def test_every_move_is_as_likely_as_its_four_coordinates_together() -> None:
    torch.manual_seed(0)
    head = Coordinates(XIANGQI, 16, history=4)
    out = head(torch.randn(3, 1 + 4 * 4, 16), {"known": torch.tensor([4, 2, 0])})
    for name, size in SIZES.items():
        assert out[name].shape == (3, 5, size)
        torch.testing.assert_close(out[name].exp().sum(2), torch.ones(3, 5))
    for number, name in enumerate(XIANGQI.moves.names):
        at = ["abcdefghi".index(name[0]), int(name[1]), "abcdefghi".index(name[2]), int(name[3])]
        expected = sum(out[part][:, -1, place] for part, place in zip(SIZES, at, strict=True))
        torch.testing.assert_close(out["policy"][:, number], torch.as_tensor(expected))


def test_mass_of_pairs_that_are_no_move_stays_off_the_table() -> None:
    head = Coordinates(XIANGQI, 4, history=0)
    for weight in head.parameters():
        torch.nn.init.zeros_(weight)
    policy = head(torch.zeros(1, 1, 4), {"known": torch.tensor([0])})["policy"]
    torch.testing.assert_close(policy.exp().sum(), torch.tensor(2086 / 8100))
