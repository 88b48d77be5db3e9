"""How much of a net's tokens is common to all of a position, as it begins: `python -m bench.alike`.

The share of their squared length that is their mean's, of what goes into each trunk and comes out of each of
its blocks; nets as the table of six has them. Near 1 a net has first to learn which square is which.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import torch
from torch import Tensor, nn

from bench.glance import sample_positions
from bench.six import SIX
from zeroply.corpus.told import told
from zeroply.games import game_named, stack
from zeroply.nets.trunk import Block, Trunk
from zeroply.recipes import find_recipe

POSITIONS = 60


def main() -> None:
    for name in SIX:
        for shares in shares_of(name):
            print(f"{name:10}", *(f"{share:.2f}" for share in shares))


def shares_of(name: str) -> Iterator[list[float]]:
    """Of each trunk of a recipe's net: at its entrance, then behind each block."""
    words = SIX[name].split()
    torch.manual_seed(0)
    chess = game_named("chess")
    system = find_recipe(name).make(chess, dict(word.split("=") for word in words if "=" in word))
    positions = list(islice(sample_positions(chess), POSITIONS))
    rows = stack([position.row(system.encoding.history) for position in positions]) | told(len(positions))
    seen: dict[nn.Module, list[float]] = {}
    for trunk in (module for module in system.net.modules() if isinstance(module, Trunk)):
        shares = seen[trunk] = []

        def entered(_: nn.Module, given: tuple[Any, ...], shares: list[float] = shares) -> None:
            shares.append(common(given[0]))

        def left(_: nn.Module, __: Any, out: Tensor, shares: list[float] = shares) -> None:
            shares.append(common(out))

        trunk.register_forward_pre_hook(entered)
        for block in trunk.blocks:
            assert isinstance(block, Block)
            block.register_forward_hook(left)
    with torch.no_grad():
        system.net(system.encoding({read: torch.as_tensor(rows[read]) for read in system.encoding.reads}))
    yield from seen.values()


def common(tokens: Tensor) -> float:
    """[B, L, D] -> the share, as a mean over positions."""
    return float((tokens.mean(1).square().sum(1) / tokens.square().sum(2).mean(1)).mean())


if __name__ == "__main__":
    main()
