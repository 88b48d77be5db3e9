"""onnxruntime, kept from talking. Its wheels send what they see of a machine to their maker unless the
environment says otherwise before they are loaded; its own switch comes too late for what is sent first."""

from __future__ import annotations

import os

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

import onnxruntime

__all__ = ["onnxruntime"]
