"""The page as a folder that needs no server of ours: rules, nets and onnxruntime run in the browser."""

from __future__ import annotations

import json
import shutil
import tarfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, cast
from urllib.parse import quote

from zeroply.apps.web.npm import Package, archive_of
from zeroply.apps.web.server import STATIC, models_of
from zeroply.artefacts import bundled, new_file, new_folder
from zeroply.corpus.score import Kind
from zeroply.errors import ArtefactError, ZeroplyError
from zeroply.players import player_of
from zeroply.players.inside import layers_with_squares
from zeroply.players.load import UnknownModelError
from zeroply.players.onnx import OnnxNetwork

RUNTIME = Package(
    name="onnxruntime-web",
    version="1.30.0",
    integrity="sha512-q0y+JrrtukXSzsBWEMccVfqX25LRmosXHF+CaRJmg8pZClzcV7svNc4rKY3jL02Vb7QmRMDs1SigqR4CXAfKYQ==",
)
WASM = "ort-wasm-simd-threaded.wasm"
RUNTIME_FILES: Mapping[str, str] = {
    "ort.wasm.bundle.min.mjs": "ort.wasm.bundle.min.js",  # not every file server knows .mjs for a script
    WASM: WASM,
}
"""What the browser needs of it, and the names that it gets here."""
PAGE_FILES = ("alone.js", "worker.js", "shared.js", "page.css", "page.svg", "favicon.svg", "LICENSES.txt")
"""What the page alone needs of the built front end, beside index.html."""
MANIFEST = "models.json"
POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:; object-src 'none'; "
    "base-uri 'none'; form-action 'none'"
)
"""What the page may load, told in the page itself, since plain file servers send no headers."""


def write_alone(
    models: Sequence[str],
    out: Path,
    progress: Callable[[int, int | None], None] = lambda done, length: None,
) -> None:
    """Write the folder. In one that an earlier call wrote its files are replaced, and nothing else in it is
    touched: it may be a repository that publishes the page. `progress` is of what is fetched."""
    out = out.resolve()  # through a link, what it leads to is written
    files = _files(models)
    about = _manifest(files)
    earlier = _models_in(out)
    if earlier is None and not _is_free(out):
        raise ZeroplyError(f"{out} is there already, and no page of ours. Name a new folder")
    archive = archive_of(RUNTIME, progress)
    if not out.exists():
        with new_folder(out) as building:
            _fill(building, files, about, archive)
        return
    _fill(out, files, about, archive)
    for name in (earlier or set()) - set(files):
        (out / _place(name)).unlink(missing_ok=True)


def _fill(folder: Path, files: Mapping[str, Path], about: Mapping[str, Any], archive: Path) -> None:
    """Put all files there: each is written beside its place first, and only when all are whole they take
    their places, the page itself as the last one."""
    html = _for_alone((STATIC / "index.html").read_text(encoding="utf-8"))
    with ExitStack() as writing:

        def new(name: str) -> Path:
            return writing.enter_context(new_file(folder / name))

        new("index.html").write_text(html, encoding="utf-8")
        for name in PAGE_FILES:
            shutil.copyfile(STATIC / name, new(name))
        for name, file in files.items():
            shutil.copyfile(file, new(_place(name)))
        with tarfile.open(archive) as packed:
            for name, called in RUNTIME_FILES.items():
                member = cast(IO[bytes], packed.extractfile(f"package/dist/{name}"))  # as its hash tells
                with member, new(f"onnxruntime/{called}").open("wb") as file_out:
                    shutil.copyfileobj(member, file_out)
            size = packed.getmember(f"package/dist/{WASM}").size
        wasm = {"file": f"onnxruntime/{RUNTIME_FILES[WASM]}", "size": size}
        new(MANIFEST).write_text(json.dumps({**about, "wasm": wasm}), encoding="utf-8")


def _files(models: Sequence[str]) -> dict[str, Path]:
    """The .onnx file of each model by its name."""
    known = bundled()
    found: dict[str, Path] = {}
    for model in models:
        path = known.get(model, Path(model))
        if not path.exists():
            raise UnknownModelError(
                f"there is no model '{model}'. Bundled: {', '.join(known)}; otherwise give an .onnx file"
            )
        if path.suffix != ".onnx" or not path.is_file():
            raise ZeroplyError(
                f"'{model}' needs torch, which no browser has. Make an .onnx file first: "
                f"zeroply export {model} {path.stem}.onnx"
            )
        if path.stem in found:
            raise ZeroplyError(f"two of the models are named '{path.stem}': {', '.join(models)}. Rename one")
        found[path.stem] = path
    if not found:
        raise ZeroplyError("no model to serve. Name one, for example: chess")
    return found


def _place(name: str) -> str:
    return f"models/{name}.onnx"


def _manifest(files: Mapping[str, Path]) -> dict[str, Any]:
    """What `/api/models` answers, and of each net what the browser cannot read from its file."""
    networks = {name: OnnxNetwork(path) for name, path in files.items()}
    players = {name: player_of(network, name=name) for name, network in networks.items()}
    return {
        **models_of(networks).model_dump(mode="json"),
        "nets": {
            name: {
                "file": quote(_place(name)),
                "size": files[name].stat().st_size,
                "outputs": network.outputs,
                "best": players[name].told,
                "person": {"kind": Kind.human.value},
                "layers": _layers(network),
            }
            for name, network in networks.items()
        },
    }


def _layers(network: OnnxNetwork) -> list[dict[str, Any]]:
    """Of each layer that can be shown on a board the output that tells its attention, and the one that tells
    whether the board was turned for the mover."""
    flipped, *outputs = network.about.get("inside", ("",))
    return [
        {
            "output": outputs[number],
            "flipped": flipped,
            "heads": layer.heads,
            "squares": layer.squares,
        }
        for number, layer in layers_with_squares(network).items()
    ]


def _models_in(out: Path) -> set[str] | None:
    """The names of the models in a folder that an earlier call wrote; None if it is no such folder."""
    try:
        nets = json.loads((out / MANIFEST).read_text(encoding="utf-8"))["nets"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return {name for name in nets if "/" not in name} if isinstance(nets, dict) else None


def _is_free(out: Path) -> bool:
    """Whether nothing is there but what a folder needs to be published: .git, .nojekyll, CNAME."""
    if not out.is_dir():
        return not out.exists()
    return all(path.name.startswith(".") or path.name == "CNAME" for path in out.iterdir())


def _for_alone(html: str) -> str:
    """The built page with the entry that asks no server, and with its policy."""
    script, charset = 'src="./page.js"', '<meta charset="utf-8" />'
    if html.count(script) != 1 or html.count(charset) != 1:
        raise ArtefactError(f"{STATIC / 'index.html'} is not the page that was expected. Run: make page")
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}" />'
    return html.replace(script, 'src="./alone.js"').replace(charset, f"{charset}\n    {policy}")
