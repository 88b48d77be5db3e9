"""MODEL on a command line: a bundled name, a run folder, a checkpoint or an .onnx file."""

from __future__ import annotations

from pathlib import Path

from zeroply.errors import ArtefactError, needs
from zeroply.players.base import Network
from zeroply.players.onnx import OnnxNetwork

BUNDLED = Path(__file__).parent.parent / "models"


def bundled() -> dict[str, Path]:
    """Names and files of the models that come with the package."""
    return {path.stem: path for path in sorted(BUNDLED.glob("*.onnx"))}


def load_network(model: str) -> Network:
    """The net that MODEL means, ready to run on this machine."""
    known = bundled()
    if model in known:
        return OnnxNetwork(known[model])
    path = Path(model)
    if path.suffix == ".onnx" and path.is_file():
        return OnnxNetwork(path)
    if path.is_dir() or path.suffix == ".safetensors":
        with needs("train", f"the checkpoint {model}"):
            from zeroply.players.torch import TorchNetwork
        return TorchNetwork.open(path)
    raise ArtefactError(
        f"there is no model '{model}'. Bundled: {', '.join(known) or 'none'}; "
        "otherwise give a run folder, a .safetensors checkpoint or an .onnx file"
    )
