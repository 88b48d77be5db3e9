"""How much of a net's squares is common to all of a position, as it begins: `python -m bench.alike`.

The share of their tokens' squared length that is their mean's, of what goes into each block; nets as the
table of six has them. Near 1 a net has first to learn which square is which.
"""

from itertools import islice
from typing import Any

import torch
from torch import Tensor, nn

from bench.glance import sample_positions
from bench.six import SIX
from zeroply.corpus.told import told
from zeroply.games import game_named, stack
from zeroply.nets.attention import layers_of
from zeroply.nets.trunk import Block
from zeroply.recipes import find_recipe

POSITIONS = 60


def main() -> None:
    for name in SIX:
        if shares := shares_of(name):
            print(f"{name:10}", *(f"{share:.2f}" for share in shares))


def shares_of(name: str) -> list[float]:
    """Of each block whose tokens are squares: the mean over positions of the sample's first game."""
    torch.manual_seed(0)
    chess = game_named("chess")
    settings = dict(word.split("=") for word in SIX[name].split() if "=" in word)
    system = find_recipe(name).make(chess, settings)
    squares = {id(attention): tokens for attention, tokens in layers_of(system.net) if tokens}
    shares: list[float] = []

    def entered(block: nn.Module, given: tuple[Any, ...]) -> None:
        shares.append(float(common(given[0][:, squares[id(block.attention)]]).mean()))

    for block in system.net.modules():
        if isinstance(block, Block) and id(block.attention) in squares:
            block.register_forward_pre_hook(entered)
    positions = list(islice(sample_positions(chess), POSITIONS))
    rows = stack([position.row(system.encoding.history) for position in positions]) | told(len(positions))
    with torch.no_grad():
        system.net(system.encoding({read: torch.as_tensor(rows[read]) for read in system.encoding.reads}))
    return shares


def common(tokens: Tensor) -> Tensor:
    """[B, S, D] -> [B] the share."""
    return tokens.mean(1).square().sum(1) / tokens.square().sum(2).mean(1)


if __name__ == "__main__":
    main()
