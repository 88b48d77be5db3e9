"""An engine as it is written on a command line: a program with arguments, then limits and options."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from zeroply.errors import EngineError, ZeroplyError

DEBIAN_GAMES = "/usr/games"
"""Debian installs engines here, and root's PATH leaves it out."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """When an engine stops thinking: at whatever comes first. None at all means a tenth of a second."""

    depth: int | None = None
    nodes: int | None = None
    movetime: int | None = None
    """Milliseconds."""

    def numbers(self) -> dict[str, int]:
        chosen = Limits(movetime=100) if self == NO_LIMITS else self
        return {name: limit for name, limit in asdict(chosen).items() if limit is not None}


NO_LIMITS = Limits()


@dataclass(frozen=True)
class Number:
    """What an option may be."""

    kind: type[int] | type[float]
    low: float
    high: float

    def read(self, text: str) -> Any:
        """None where it is not that."""
        try:
            value = self.kind(text)
        except ValueError:
            return None
        return value if self.low <= value <= self.high else None

    def __str__(self) -> str:
        wanted = "a whole number" if self.kind is int else "a number"
        return f"{wanted} from {self.low:g} to {self.high:g}"


@dataclass(frozen=True)
class OneOf:
    """Likewise, where it is one of some words."""

    words: Sequence[str]

    def read(self, text: str) -> Any:
        return text if text in self.words else None

    def __str__(self) -> str:
        return f"one of {', '.join(self.words)}"


LIMITS = {name: Number(int, 1, 2**63 - 1) for name in ("depth", "nodes", "movetime")}


@dataclass(frozen=True, kw_only=True)
class Program:
    """What to start, and what it is to be told."""

    command: tuple[str, ...]
    limits: Limits = NO_LIMITS
    options: Mapping[str, str] = field(default_factory=dict)


def words_of(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise ZeroplyError(f"'{text}' is not a player: {error}. Quotes go in pairs") from None


def program_of(words: Sequence[str], text: str) -> Program:
    """Of an engine's words. It may itself be a command with arguments, up to the first option: python3
    engine.py --book=x depth=5."""
    arguments = 1
    while arguments < len(words) and ("=" not in words[arguments] or words[arguments].startswith("-")):
        arguments += 1
    options = pairs(words[arguments:], text)
    limits = {name: options.pop(name) for name in LIMITS if name in options}
    if any(name.lower() == "uci_elo" for name in options):
        options.setdefault("UCI_LimitStrength", "true")
    return Program(
        command=tuple(words[:arguments]), limits=Limits(**values_of(limits, LIMITS, text)), options=options
    )


def pairs(words: Sequence[str], text: str) -> dict[str, str]:
    """`name=value` words."""
    found: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not (name and equals):
            raise ZeroplyError(f"what is '{word}' in player '{text}'? Options look like name=value")
        found[name] = value
    return found


def values_of(found: Mapping[str, str], known: Mapping[str, Number | OneOf], text: str) -> dict[str, Any]:
    """What the texts of options mean."""
    values: dict[str, Any] = {}
    for name, value in found.items():
        if name not in known:
            raise ZeroplyError(f"unknown option '{name}' in player '{text}'. Known: {', '.join(known)}")
        values[name] = known[name].read(value)
        if values[name] is None:
            raise ZeroplyError(f"{name}={value} in player '{text}' is not {known[name]}")
    return values


def find_engine(name: str) -> str:
    """The program that an engine's name or path means."""
    found = shutil.which(name) or shutil.which(name, path=DEBIAN_GAMES)
    if found is None:
        if Path(name).is_file():
            raise EngineError(f"'{name}' is no program that you may run. Make it one: chmod +x {name}")
        raise EngineError(
            f"there is no engine '{name}' on the PATH or in {DEBIAN_GAMES}. Install it, or give its path"
        )
    return found
