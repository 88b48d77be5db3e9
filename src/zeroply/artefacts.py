"""Files that outlive a run: written whole or not at all, stamped, and never pickled."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import platform
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from zeroply.errors import ArtefactError, DiskFullError

if TYPE_CHECKING:
    from torch import Tensor

Made = TypeVar("Made")
BEST, LAST = "model.safetensors", "last.safetensors"
"""Checkpoints in a run folder: the best by its validation part (without one, the last), and the last."""
EPOCH = "epoch-{:02}.safetensors"
"""That of an epoch, where a plan keeps them."""
BUNDLED = Path(__file__).parent / "models"
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""A full disk, one's share of it used up, a file as large as files may be."""


def bundled() -> dict[str, Path]:
    """Names and files of the models that come with the package."""
    return {path.stem: path for path in sorted(BUNDLED.glob("*.onnx"))}


def digest_of(path: Path) -> str:
    """SHA-256 of a file, or of the names and digests of all files in a folder."""
    if path.is_dir():
        files = sorted(found for found in path.rglob("*") if found.is_file())
        listed = "".join(f"{digest_of(found)}  {found.relative_to(path).as_posix()}\n" for found in files)
        return hashlib.sha256(listed.encode()).hexdigest()
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def room_for(path: Path) -> Iterator[None]:
    """Around writing: a full disk becomes one line that names what did not fit."""
    try:
        yield
    except OSError as error:
        if error.errno not in FULL:
            raise
        reason = os.strerror(error.errno).lower()
        raise DiskFullError(
            f"no room for {path}: {reason}. Make room and run the same command again"
        ) from None


def check_place(path: Path, beside: Path | None = None) -> None:
    """Refuses a path where no file can be written, for those who write it after hours of work; and one in a
    folder that is made `beside` it, which appears last."""
    if beside is not None and beside.resolve() in path.resolve().parents:
        raise ArtefactError(f"{path} would lie in {beside}, which is made as a whole. Give another place")
    if path.is_dir():
        raise ArtefactError(f"{path} is a folder. Give the name of a file")
    if path.exists() and not path.is_file():
        return  # a terminal, a pipe
    check_folder(path)


def check_folder(path: Path) -> None:
    """Refuses a path where nothing can be made, for those who make a folder there in one beside it."""
    folder = next(parent for parent in path.resolve().parents if parent.exists())
    try:
        tempfile.TemporaryFile(dir=folder).close()  # rights alone do not tell: to root all look writable
    except OSError as error:
        raise ArtefactError(
            f"{path} cannot be written: {folder} is no folder for you to write in ({error.strerror}). "
            "Give another place"
        ) from None


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """A path to write to; what stands there at the end takes the place of `path` in one step.

    Where `path` is something other than a file (a terminal, a pipe) it is written to directly.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        yield path
        return
    handle, name = _begun(path, tempfile.mkstemp)
    os.close(handle)
    try:
        with room_for(path):
            yield Path(name)
        os.chmod(name, 0o644)
        os.replace(name, path)
    finally:
        Path(name).unlink(missing_ok=True)


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """An empty folder to fill; it becomes `path` in one step at the end, or disappears on an error."""
    building = Path(_begun(path, tempfile.mkdtemp))
    try:
        with room_for(path):
            yield building
        building.chmod(0o755)
        os.rename(building, path)
    finally:
        shutil.rmtree(building, ignore_errors=True)


def _begun(path: Path, make: Callable[[None, str, Path], Made]) -> Made:
    """What will become `path`, beside it; a refusal names the place that was asked for."""
    try:
        with room_for(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            _remove_leftovers(path)
            return make(None, _prefix(path, os.getpid()), path.parent)
    except OSError as error:
        raise ArtefactError(
            f"{path} cannot be written: {error.strerror or error}. Give another place"
        ) from None


def _prefix(path: Path, process: int) -> str:
    """How the name of what a process of this machine is still writing begins."""
    return f".{path.name}.{process}-{_machine()}-"


def _machine() -> str:
    """Something short for this machine's name; containers have names of their own."""
    return hashlib.sha256(platform.node().encode()).hexdigest()[:8]


def _remove_leftovers(path: Path) -> None:
    """What processes that were killed had begun to write in place of `path`.

    Whether a process lives can be told of this machine's alone: what others left on a shared disk stays, for
    it may still grow. Who gets a dead one's number keeps a leftover alive for a while, and no harm is done.
    """
    wanted = re.compile(rf"{re.escape('.' + path.name)}\.(\d+)-{_machine()}-[^.-]+")
    for name in os.listdir(path.parent):
        found = wanted.fullmatch(name)
        if found and not _lives(int(found[1])):
            left = path.parent / name
            shutil.rmtree(left, ignore_errors=True) if left.is_dir() else left.unlink(missing_ok=True)


def _lives(process: int) -> bool:
    if os.name != "posix":
        return True  # elsewhere a signal 0 is not just a question
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass  # somebody else's
    return True


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    with new_file(path) as building:
        building.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def read_json(path: Path, what: str) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ArtefactError(f"{path} is missing: {path.parent} is not {what}") from None
    except (ValueError, OSError) as error:
        raise ArtefactError(f"{path} cannot be read: {error}. Make {what} again") from None
    if not isinstance(value, dict):
        raise ArtefactError(f"{path} does not hold a JSON object. Make {what} again")
    return value


def save_checkpoint(path: Path, tensors: Mapping[str, Tensor], about: Mapping[str, Any]) -> None:
    """Tensors as safetensors, with what is needed to rebuild the net in the file's own metadata."""
    from safetensors import SafetensorError
    from safetensors.torch import save_file

    with new_file(path) as building:
        try:
            save_file(
                {name: tensor.detach().contiguous().cpu() for name, tensor in tensors.items()},
                building,
                metadata={"zeroply": json.dumps(about)},
            )
        except SafetensorError as error:  # which tells of a full disk in words alone
            for number in FULL:
                if os.strerror(number) in str(error):
                    raise OSError(number, os.strerror(number)) from None
            raise


def load_checkpoint(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    from safetensors import SafetensorError, safe_open

    if not path.exists():
        raise ArtefactError(
            f"there is no checkpoint {path}. Give a run folder that has one, or a .safetensors file"
        )
    if path.suffix == ".onnx":
        raise ArtefactError(f"{path} is an exported model, not a checkpoint. Give the folder of its run")
    try:
        with safe_open(path, framework="pt") as file:
            about = json.loads((file.metadata() or {}).get("zeroply", "null"))
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a mapping)
    except OSError as error:
        raise ArtefactError(f"{path} cannot be read: {error.strerror}. Give another of its run") from None
    except (SafetensorError, ValueError, RecursionError):
        raise ArtefactError(f"{path} is damaged, or no checkpoint. Give another of its run") from None
    if not isinstance(about, dict):
        raise ArtefactError(
            f"{path} is a safetensors file, but zeroply did not write it. Give one of a run's folder"
        )
    return tensors, about
