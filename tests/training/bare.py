"""`python -m tests.training.bare MODULE ARGUMENTS [-- ARGUMENTS]…`: does what `python -m MODULE` does with
each, as if nothing were installed but torch, Lightning, numpy, safetensors and what these need themselves."""

from __future__ import annotations

import re
import runpy
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import Distribution, PackageNotFoundError, packages_distributions, requires
from itertools import groupby
from typing import Any

from packaging.requirements import Requirement

PRESENT = ("torch", "pytorch-lightning", "numpy", "safetensors")


def needed(names: Sequence[str]) -> set[str]:
    """These packages and those that they need, as pip would install them."""
    seen: set[tuple[str, frozenset[str]]] = set()
    waiting = [Requirement(name) for name in names]
    while waiting:
        one = waiting.pop()
        key = normal(one.name), frozenset(one.extras)
        if key in seen:
            continue
        try:
            texts = requires(one.name) or []
        except PackageNotFoundError:  # for another system
            continue
        seen.add(key)
        waiting += [other for text in texts if wanted(other := Requirement(text), one.extras)]
    return {name for name, _ in seen}


def wanted(requirement: Requirement, extras: set[str]) -> bool:
    marker = requirement.marker
    return marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *extras))


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


class Without:
    """A finder that knows neither the modules nor the packages that are not `present`."""

    def __init__(self, finder: Any, missing: set[str], present: set[str]) -> None:
        self._finder, self._missing, self._present = finder, missing, present

    def find_spec(self, name: str, *more: Any) -> Any:
        return None if name.partition(".")[0] in self._missing else self._finder.find_spec(name, *more)

    def find_distributions(self, *more: Any) -> Iterator[Distribution]:
        if hasattr(self._finder, "find_distributions"):
            for package in self._finder.find_distributions(*more):
                if normal(package.metadata["Name"]) in self._present:
                    yield package


def main(module: str, arguments: Sequence[str]) -> None:
    present = needed(PRESENT)
    missing = {
        name
        for name, packages in packages_distributions().items()
        if not any(normal(package) in present for package in packages)
    } - {"zeroply"}
    print("missing:", *sorted(missing))
    sys.meta_path[:] = [Without(finder, missing, present) for finder in sys.meta_path]
    for between, command in groupby(arguments, "--".__eq__):
        if not between:
            sys.argv = [module, *command]
            runpy.run_module(module, run_name="__main__")
    loaded = {name.partition(".")[0] for name in sys.modules} & missing
    if loaded:
        sys.exit(f"imported nevertheless: {', '.join(sorted(loaded))}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
