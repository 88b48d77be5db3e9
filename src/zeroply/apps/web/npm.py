"""A package of npm without Node: its archive from the registry that npm would ask, checked by its hash, and
kept so that the next time needs no network."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from zeroply.corpus.fetch import Part, fetch
from zeroply.errors import ReadError

REGISTRY = "https://registry.npmjs.org"
"""Where npm looks unless it is told otherwise."""


@dataclass(frozen=True, kw_only=True)
class Package:
    name: str
    version: str
    integrity: str
    """As lock files of npm have it: sha512- and the digest in base64."""

    @property
    def archive(self) -> str:
        return f"{self.name}-{self.version}.tgz"

    def fits(self, path: Path) -> bool:
        """Whether the file is this archive."""
        if not path.is_file():
            return False
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha512").digest()
        return self.integrity == f"sha512-{base64.b64encode(digest).decode()}"


def archive_of(
    package: Package, progress: Callable[[int, int | None], None] = lambda done, length: None
) -> Path:
    """The package's archive in the user's cache, fetched if it is not there yet or not what it should be."""
    path = cache() / package.archive
    if package.fits(path):
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    url = f"{registry()}/{package.name}/-/{package.archive}"
    part = Part(path)
    try:
        fetch(url, part, progress)
    except ReadError as error:
        raise ReadError(f"{package.name} {package.version} is needed once, from npm: {error}") from None
    if not package.fits(part.path):
        part.drop()
        raise ReadError(
            f"{url} is not what was published: its hash is another. The bytes were deleted; name another "
            "registry in NPM_CONFIG_REGISTRY"
        )
    os.replace(part.path, path)
    part.drop()
    return path


def cache() -> Path:
    """The folder for what can be fetched again."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "zeroply"


def registry() -> str:
    """The address that npm would ask here: by its environment variable, the user's npmrc or the system's."""
    named = (_setting("registry"), *map(_registry_in, _npmrcs()))
    found = next((address for address in named if address), REGISTRY).rstrip("/")
    if urlsplit(found).scheme not in ("http", "https"):
        raise ReadError(f"npm's registry is set to '{found}', which is no address with http:// or https://")
    return found


def _setting(name: str) -> str | None:
    """A setting of npm in the environment, where the case of its name does not matter."""
    wanted = f"npm_config_{name}"
    return next((value for known, value in os.environ.items() if known.lower() == wanted), None)


def _npmrcs() -> Iterator[Path]:
    yield Path(_setting("userconfig") or Path.home() / ".npmrc")
    node = shutil.which("node")
    if node:  # npm's settings for all users lie beside it
        yield Path(_setting("globalconfig") or Path(node).resolve().parent.parent / "etc" / "npmrc")


def _registry_in(npmrc: Path) -> str | None:
    if not npmrc.is_file():
        return None
    found = re.search(
        r"^\s*registry\s*=\s*(\S+)", npmrc.read_text(encoding="utf-8", errors="replace"), re.MULTILINE
    )
    return os.path.expandvars(found[1].strip("\"'")) if found else None
