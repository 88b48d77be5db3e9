"""MODEL on a command line: a bundled name, a run folder, a checkpoint or an .onnx file."""

from __future__ import annotations

from pathlib import Path

from zeroply.artefacts import BEST, LAST, bundled
from zeroply.errors import ArtefactError, ZeroplyError, needs
from zeroply.games import Game
from zeroply.players.base import Network, OpenNetwork
from zeroply.players.onnx import OnnxNetwork
from zeroply.players.simple import PLAYERS


class UnknownModelError(ArtefactError):
    """A text that names no model."""


def load_network(model: str, *, threads: int | None = None) -> OpenNetwork:
    """The net that MODEL means, ready to run on this machine: on so many threads of its CPU, or where that is
    not said on one for an .onnx file and as many as torch likes for a checkpoint."""
    path = model_file(model)
    if path.suffix == ".onnx":
        return OnnxNetwork(path, threads or 1)
    with needs("train", f"the checkpoint {model}"):
        from zeroply.players.torch import TorchNetwork
    return TorchNetwork.open(path, threads)


def model_file(model: str) -> Path:
    """The file that MODEL means; of a run folder its best checkpoint."""
    known, path = bundled(), Path(model)
    if model in known:
        return known[model]
    if path.is_dir() and model not in PLAYERS:  # a folder that is called so is ./random
        for checkpoint in (path / BEST, path / LAST):
            if checkpoint.exists():
                return checkpoint
        raise ArtefactError(
            f"the folder {model} is no run, or one that has kept nothing yet: it holds no {LAST}. Give a run "
            f"folder, a .safetensors checkpoint, an .onnx file or a bundled name ({', '.join(known)})"
        )
    if path.suffix == ".safetensors" or (path.suffix == ".onnx" and path.is_file()):
        return path
    raise UnknownModelError(
        f"{unknown(model, 'model')}. Bundled: {', '.join(known) or 'none'}; "
        "otherwise give a run folder, a .safetensors checkpoint or an .onnx file"
        + (
            f". '{model}' is a player without a net; a folder of that name is ./{model}"
            if model in PLAYERS
            else ""
        )
    )


def unknown(text: str, what: str) -> str:
    """That a text names no model, or player: a file of another kind is not said to be missing."""
    return f"the file '{text}' is no {what}" if Path(text).is_file() else f"there is no {what} '{text}'"


def network_for(model: str, game: Game | None, *, threads: int | None = None) -> Network:
    """The net that MODEL means, likewise, for those who may ask for a game too."""
    network = load_network(model, threads=threads)
    if game is not None and network.game.name != game.name:
        raise ZeroplyError(
            f"the model '{model}' plays {network.game.name}, not {game.name}. "
            f"Ask for it with --game {network.game.name}, or choose another"
        )
    return network
