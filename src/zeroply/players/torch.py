"""A net in a checkpoint, run by torch, on a GPU where there is one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from zeroply.corpus.told import told
from zeroply.games import Game, Rows
from zeroply.nets.attention import Attention, layers_of
from zeroply.players.base import Inside, Layer
from zeroply.recipes import System, restore


class TorchNetwork:
    def __init__(self, system: System, about: Mapping[str, Any]) -> None:
        self.about = about
        self.game: Game = system.game
        self.history = system.encoding.history
        self.reads = tuple(system.encoding.reads)
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._encoding, self._net = system.encoding, system.net.to(self._device)
        if isinstance(self._encoding, nn.Module):
            self._encoding.to(self._device)

    @classmethod
    def open(cls, path: Path, threads: int | None = None) -> TorchNetwork:
        """A checkpoint, or the one in a run folder. Torch has one number of threads for all its nets."""
        if threads is not None:
            torch.set_num_threads(threads)
        return cls(*restore(path))

    @cached_property
    def outputs(self) -> tuple[str, ...]:
        """Found by a look at the first position: a net need not list them."""
        return tuple(self(self.game.start().row(self.history) | told(1)))

    @cached_property
    def layers(self) -> tuple[Layer, ...]:
        return tuple(Layer(heads=layer.heads, squares=squares) for layer, squares in layers_of(self._net))

    def __call__(self, rows: Rows) -> dict[str, NDArray[np.float32]]:
        with torch.inference_mode():
            out = self._net(self._streams(rows))
            return {name: value.float().cpu().numpy() for name, value in out.items()}

    def look_inside(self, rows: Rows) -> Inside:
        seen: list[NDArray[np.float32]] = []

        def look(layer: Attention, given: tuple[Tensor, Tensor | None]) -> None:
            seen.append(layer.looks(*given).float().cpu().numpy())

        hooks = [layer.register_forward_pre_hook(look) for layer, _ in layers_of(self._net)]
        try:
            with torch.inference_mode():
                streams = self._streams(rows)
                self._net(streams)
        finally:
            for hook in hooks:
                hook.remove()
        return Inside(flipped=streams["flipped"].bool().cpu().numpy(), attention=seen)

    def _streams(self, rows: Rows) -> dict[str, Tensor]:
        return self._encoding({name: torch.as_tensor(rows[name], device=self._device) for name in self.reads})
