"""Settings of an engine as UCI and UCCI declare them: written by our own engines, read from others'."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from zeroply.errors import ZeroplyError

Value: TypeAlias = int | bool | str
PARTS = ("type", "default", "min", "max", "var")
EMPTY = "<empty>"
"""How an empty string is written."""


@dataclass(frozen=True, kw_only=True)
class Option:
    """`spin` a whole number, `check` yes or no, `combo` one of some, `string` any text, `button` nothing."""

    kind: str
    default: Value = ""
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()

    def declared(self) -> str:
        """What a declaration says behind the option's name."""
        words = ["type", self.kind]
        if self.kind != "button":
            words += ["default", text_of(self.default) or EMPTY]
        for name, limit in (("min", self.low), ("max", self.high)):
            words += [] if limit is None else [name, str(limit)]
        for choice in self.choices:
            words += ["var", choice]
        return " ".join(words)

    def read(self, text: str) -> Value:
        """The value that a text means."""
        if self.kind == "check" and text.lower() in ("true", "false"):
            return text.lower() == "true"
        if self.kind == "spin" and (number := whole(text)) is not None:
            low = number if self.low is None else self.low
            high = number if self.high is None else self.high
            if low <= number <= high:
                return number
        for choice in self.choices:
            if text.lower() == choice.lower():
                return choice
        if self.kind == "string" and text and len(text.splitlines()) == 1:
            return text
        if self.kind == "button" and not text:
            return text
        raise ZeroplyError(f"'{text}' will not do: it is {self._wanted()}")

    def _wanted(self) -> str:
        if self.kind == "spin":
            limits = (("at least", self.low), ("at most", self.high))
            return ", ".join(["a whole number", *(f"{word} {n}" for word, n in limits if n is not None)])
        plain = {"check": "true or false", "button": "a button and has no value", "string": "a line of text"}
        return plain.get(self.kind, f"one of {', '.join(self.choices)}")


def text_of(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def parse_option(words: Sequence[str]) -> tuple[str, Option]:
    """The name and the kind of an option from the words behind `option`; UCI has another `name` before it."""
    at = words.index("type") if "type" in words else len(words)
    name = " ".join(words[1:at] if words[:1] == ["name"] else words[:at])
    parts: list[tuple[str, list[str]]] = []
    for word in words[at:]:
        if word in PARTS:
            parts.append((word, []))
        else:
            parts[-1][1].append(word)
    texts = {part: " ".join(found) for part, found in parts}
    plain = Option(
        kind=texts.get("type", "string"),
        low=whole(texts.get("min", "")),
        high=whole(texts.get("max", "")),
        choices=tuple(" ".join(found) for part, found in parts if part == "var"),
    )
    try:
        default = plain.read(texts.get("default", ""))
    except ZeroplyError:
        default = ""  # not all keep to their own limits, and nobody asks for it
    return name, Option(
        kind=plain.kind, default=default, low=plain.low, high=plain.high, choices=plain.choices
    )


def whole(text: str) -> int | None:
    """The whole number that a text is; None for any other text."""
    return int(text) if text.removeprefix("-").isdecimal() and len(text) < 20 else None


def number_after(name: str, words: Sequence[str]) -> int | None:
    """The whole number behind a word."""
    at = words.index(name) + 1 if name in words else len(words)
    return whole(words[at]) if at < len(words) else None
