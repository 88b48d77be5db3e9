"""Larger nets that begin as what a smaller one has learnt: more or wider blocks, more to be told, more heads.

A new block is a copy of the one before it that adds nothing yet, and new inner numbers and new inputs count
for nothing yet, so that the larger net answers as the smaller one did, and learns on from there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from torch import Tensor

BLOCK = re.compile(r"(?P<trunk>.*\bblocks\.)(?P<number>\d+)\.(?P<part>.*)")
ADDED_BACK = ("attention.out.weight", "attention.out.bias", "feed.2.weight", "feed.2.bias")
"""Parts of a block without which it adds nothing to what goes through it."""


def grown(weights: Mapping[str, Tensor], into: Mapping[str, Tensor]) -> dict[str, Tensor] | None:
    """`into`, the weights of a new net, with those of a smaller one in them; None where that is not smaller.
    What the smaller one does not have stays as it is."""
    before, after = _depths(weights), _depths(into)
    if any(depth > after.get(trunk, 0) for trunk, depth in before.items()):
        return None
    found = {}
    for name, own in into.items():
        source, new = name, False
        if (block := BLOCK.fullmatch(name)) and block["trunk"] in before:
            number, few, many = int(block["number"]), before[block["trunk"]], after[block["trunk"]]
            of = number * few // many
            source = f"{block['trunk']}{of}.{block['part']}"
            new = number > 0 and (number - 1) * few // many == of
        if source not in weights:
            found[name] = own
        elif new and name.endswith(ADDED_BACK):
            found[name] = own.new_zeros(own.shape)
        elif weights[source].dim() != own.dim() or any(
            less > more for less, more in zip(weights[source].shape, own.shape, strict=True)
        ):
            return None
        else:
            found[name] = _within(weights[source], own)
    return found


def _within(weight: Tensor, own: Tensor) -> Tensor:
    """A matrix in the corner of a larger one, whose further columns, which new inputs meet, are zero; its
    further rows make new numbers, and stay as they are."""
    larger = own.clone()
    if own.dim() > 1:
        larger[:, weight.shape[1] :] = 0
    larger[tuple(slice(size) for size in weight.shape)] = weight
    return larger


def _depths(weights: Mapping[str, Tensor]) -> dict[str, int]:
    """How many blocks each trunk has."""
    depths: dict[str, int] = {}
    for name in weights:
        if block := BLOCK.fullmatch(name):
            depths[block["trunk"]] = max(depths.get(block["trunk"], 0), int(block["number"]) + 1)
    return depths
