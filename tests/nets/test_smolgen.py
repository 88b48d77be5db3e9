"""The map that is added to attention, and the tokens that it is drawn from."""

from __future__ import annotations

import torch

from tests.sources import CHESS
from zeroply.encodings.position_tokens import Facing, PositionTokens
from zeroply.nets.attention import Attention
from zeroply.nets.embed_position import EmbedPosition
from zeroply.nets.smolgen import Smolgen

WIDTH, TOKENS = 16, 84


def tokens() -> torch.Tensor:
    return torch.randn(3, TOKENS, WIDTH, generator=torch.Generator().manual_seed(0))


def test_the_map_is_drawn_from_the_first_token_for_pairs_of_squares_alone() -> None:
    bias, x = Smolgen(WIDTH, 64), tokens()
    drawn = bias(x)
    assert drawn.shape == (3, 1, TOKENS, TOKENS)
    assert torch.equal(drawn[:, 0, 1:65, 1:65].flatten(1), bias.draw(x[:, 0]))
    assert not drawn[:, :, 0].any()
    assert not drawn[:, :, 65:].any()
    assert not drawn[..., 0].any()
    assert not drawn[..., 65:].any()
    x[:, 1:] = 0
    assert torch.equal(drawn, bias(x))


def test_attention_adds_the_map_before_the_softmax() -> None:
    """A map that draws everything to one square makes squares, and no other token, see it alone."""
    attention, x = Attention(WIDTH, 2, bias := Smolgen(WIDTH, 64)), tokens()
    with torch.no_grad():
        bias.draw.weight.zero_()
        bias.draw.bias.copy_(torch.zeros(64, 64).index_fill_(1, torch.tensor([7]), 1e4).flatten())
    seen = attention(x, None)
    only = attention.out(attention.qkv(x[:, 8])[:, 2 * WIDTH :])
    torch.testing.assert_close(seen[:, 1:65], only[:, None].expand(-1, 64, -1))
    assert not torch.isclose(seen[:, [0, 65, 83]], only[:, None], atol=1e-3).all(-1).any()


def embedded(embed: EmbedPosition, fen: str) -> torch.Tensor:
    rows = {name: torch.as_tensor(column) for name, column in CHESS.start(fen).row(0).items()}
    found: torch.Tensor = embed(PositionTokens(CHESS, facing=Facing.mover)(rows))
    return found[0]


def changed(embed: EmbedPosition, first: str, second: str) -> list[int]:
    """The tokens in which two positions differ."""
    differ = (embedded(embed, first) != embedded(embed, second)).any(1)
    return [int(at) for at in differ.nonzero()]


def test_each_token_stands_where_the_seed_lists_it() -> None:
    encoding = PositionTokens(CHESS, facing=Facing.mover)
    embed = EmbedPosition(encoding.streams, width=WIDTH, registers=2)
    assert embed.length == TOKENS == len(embedded(embed, fen := "4k3/8/8/3pP3/8/8/8/R3K2R w KQ - 0 1"))
    assert changed(embed, fen, fen.replace("R3", "4").replace("KQ", "K")) == [1 + 56, 67]
    assert changed(embed, fen, fen.replace("KQ -", "KQ d6")) == [70, 71 + 3]
    assert changed(embed, fen, fen.replace("0 1", "30 1")) == [80]
    assert changed(embed, fen, fen.replace("0 1", "0 31")) == [81]


def test_clocks_scale_their_tokens() -> None:
    encoding = PositionTokens(CHESS, facing=Facing.mover)
    embed = EmbedPosition(encoding.streams, width=WIDTH, registers=2)

    def token(at: int, fen: str) -> torch.Tensor:
        return embedded(embed, f"4k3/8/8/8/8/8/8/4K3 w - - {fen}")[at] - embed.places[at]

    torch.testing.assert_close(token(80, "40 1"), 0.8 * embed.halfmove)
    torch.testing.assert_close(token(81, "0 60"), 0.6 * embed.stage @ embed.stage_matrix)
    with torch.no_grad():
        embed.polynomial.copy_(torch.tensor([0.5, 0, 0, 0, 0, 0, 0, 0, 2.0]))
    torch.testing.assert_close(token(80, "40 1"), (0.5 + 2 * 0.8**8) * embed.halfmove)
