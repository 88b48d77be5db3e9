"""A net in an .onnx file, run by onnxruntime: the file takes rows and contains the encoding."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroply.corpus.model_manifest import is_sound
from zeroply.errors import ArtefactError
from zeroply.games import Game, Rows, game_named
from zeroply.games.stamp import check_stamp
from zeroply.players.base import Inside, Layer
from zeroply.silent_onnxruntime import onnxruntime

AT_ONCE = 16
"""Rows that onnxruntime is given at a time. More are slower, since what a layer hands on no longer fits into
the processor's cache; and attention over long sequences would take gigabytes."""


class OnnxNetwork:
    """One thread by default: a glance takes milliseconds, and a machine has other work."""

    def __init__(self, path: Path, threads: int = 1) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        try:
            self._session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        except Exception:  # onnxruntime has no common base class for its errors
            raise ArtefactError(f"{path} is not a readable ONNX model. Make one: zeroply export") from None
        found = self._session.get_modelmeta().custom_metadata_map.get("zeroply")
        if found is None:
            raise ArtefactError(
                f"{path} is an ONNX model, but zeroply did not write it. Make one: zeroply export"
            )
        damaged = ArtefactError(f"the manifest in {path} is damaged. Make it again: zeroply export")
        try:
            self.about: Mapping[str, Any] = json.loads(found)
        except (ValueError, RecursionError):
            raise damaged from None
        if not is_sound(self.about, "game"):
            raise damaged
        self.game: Game = game_named(self.about["game"])
        check_stamp(self.about, self.game, str(path))
        takes = {entry.name: entry.shape for entry in self._session.get_inputs()}
        self.reads = tuple(takes)
        self._inside = tuple(self.about.get("inside", ()))
        """Outputs that are there for those who look inside; nobody else asks for them."""
        every = (entry.name for entry in self._session.get_outputs())
        self.outputs = tuple(name for name in every if name not in self._inside)
        try:
            self.history: int = self.about["history"]
            if "past" in takes and takes["past"][1] != self.history:
                raise ValueError
            self.layers = self._layers()
        except (ValueError, LookupError, TypeError):  # what is told is not what the graph has
            raise damaged from None

    def _layers(self) -> tuple[Layer, ...]:
        """By the manifest, which may be wrong; files that say nothing of squares are of a time when all
        tokens were, if any."""
        shapes = {entry.name: entry.shape for entry in self._session.get_outputs()}
        every = tuple(range(self.game.files * self.game.ranks))
        sizes = [(heads, tokens) for heads, tokens in (shapes[name][1:3] for name in self._inside[1:])]
        told = self.about.get("squares", [every if tokens == len(every) else () for _, tokens in sizes])
        for (_, tokens), squares in zip(sizes, told, strict=True):
            if squares and (len(squares) != len(every) or max(squares) >= tokens):
                raise ValueError
        return tuple(
            Layer(heads=heads, squares=tuple(squares))
            for (heads, _), squares in zip(sizes, told, strict=True)
        )

    def __call__(self, rows: Rows) -> dict[str, NDArray[np.float32]]:
        return dict(zip(self.outputs, self._run(self.outputs, rows), strict=True))

    def _run(self, outputs: Sequence[str], rows: Rows) -> list[NDArray[np.float32]]:
        read = {name: rows[name] for name in self.reads}
        starts = range(0, max(len(next(iter(read.values()))), 1), AT_ONCE)
        pieces = [
            self._session.run(outputs, {name: column[at : at + AT_ONCE] for name, column in read.items()})
            for at in starts
        ]
        return [np.concatenate(values) for values in zip(*pieces, strict=True)]

    def look_inside(self, rows: Rows) -> Inside:
        if not self._inside:
            raise ArtefactError("this .onnx file does not show its attention. Make it again: zeroply export")
        flipped, *attention = self._run(self._inside, rows)
        return Inside(flipped=flipped.astype(bool), attention=attention)
