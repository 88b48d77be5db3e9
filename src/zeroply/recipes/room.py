"""Whether the machine has room for a net, asked before the net takes it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import torch
from torch import nn
from torch.nn.modules.module import register_module_parameter_registration_hook

from zeroply.errors import RecipeError

Built = TypeVar("Built")
BYTES = 4
"""Of a weight as it is built, in float32."""
WITHOUT_NUMBERS = (AttributeError, LookupError, RuntimeError, TypeError, ValueError)
"""What a recipe may come to that looks at the numbers of its tensors, for there are none on the meta device:
then nobody can tell how large its net would be."""
SMALLER = "Choose fewer layers, or smaller ones"
LARGE = 2**28
"""Weights, a gigabyte: a net of fewer is built and never measured."""


def built_in_room(build: Callable[[], Built]) -> Built:
    """What `build` makes. A large net is first measured, on torch's meta device, whose tensors have shapes
    and take no memory; it is refused where its weights alone would take more than the machine has."""
    weights = measured = 0

    def count(_: nn.Module, __: str, weight: nn.Parameter | None) -> None:
        nonlocal weights, measured
        if weight is None:
            return
        if weight.is_meta:
            measured += weight.numel()
            _check_room(measured)
            return
        before, weights = weights, weights + weight.numel()
        if before <= LARGE < weights:
            measure()

    def measure() -> None:
        with suppress(*WITHOUT_NUMBERS), torch.device("meta"):
            build()

    watch = register_module_parameter_registration_hook(count)
    try:
        return build()
    except RuntimeError as error:  # perhaps a single matrix for which there is no room
        measure()
        if "size calculation overflowed" in str(error):
            raise RecipeError(
                f"a part of the net would have more parameters than can be counted. {SMALLER}"
            ) from None
        raise
    finally:
        watch.remove()


def _check_room(weights: int) -> None:
    memory = machine_memory()
    if weights * BYTES > memory:
        raise RecipeError(
            f"the net would have {weights:,} parameters or more, which take {weights * BYTES / 1e9:,.0f} GB; "
            f"this machine has {memory / 1e9:,.0f}. {SMALLER}"
        )


def machine_memory() -> int:
    """Bytes."""
    if os.name != "posix":
        return sys.maxsize  # nobody tells
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
