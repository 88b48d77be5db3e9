"""What a model's file tells of itself, looked over once, before anybody believes a part of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np

Check: TypeAlias = Callable[[Any], bool]


def is_sound(about: Any, *needed: str) -> bool:
    """Whether it tells what is `needed`, and all else that someone reads in it is as they count on."""
    try:
        return isinstance(about, dict) and about.keys() >= set(needed) and _about(about)
    except RecursionError:  # one within the other, a thousand times
        return False


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _rating(value: Any) -> bool:
    return _whole(value) and value <= np.iinfo(np.int16).max  # as rows have them


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _interval(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_rating, value)) and value[0] <= value[1]


def _or_null(check: Check) -> Check:
    return lambda value: value is None or check(value)


def _list(check: Check) -> Check:
    return lambda value: isinstance(value, list) and all(map(check, value))


def _values(check: Check) -> Check:
    return lambda value: isinstance(value, dict) and all(map(check, value.values()))


def _parts(checks: Mapping[str, Check]) -> Check:
    """Of an object that may have these, and others that nobody reads."""
    return lambda value: (
        isinstance(value, dict) and all(check(value[name]) for name, check in checks.items() if name in value)
    )


def _corpus(value: Any) -> bool:
    """As `origin.held_back` reads it."""
    source = _parts({"sha256": _or_null(_text)})
    return _parts({"sources": _list(source), "shares": _values(_number), "of": _corpus})(value)


def _training(value: Any) -> bool:
    return _parts(
        {
            "rated": lambda value: isinstance(value, bool),
            "strongest": _values(_rating),
            "people": _or_null(_interval),
            "corpora": _list(_corpus),
            "corpus": _corpus,
            "before": _training,
        }
    )(value)


_about = _parts(
    {
        "game": _text,
        "recipe": _text,
        "revision": _whole,
        "options": lambda value: isinstance(value, dict),
        "parameters": _whole,
        "history": _whole,
        "training": _training,
        "inside": _list(_text),
        "squares": _list(_list(_whole)),
    }
)
