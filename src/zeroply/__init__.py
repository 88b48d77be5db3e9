"""Transformers that play chess and xiangqi at a glance: one look at the board, one move, no search.

From Python: `zeroply.load("chess").choose("startpos e2e4")`.
"""

from typing import TYPE_CHECKING

from zeroply.errors import ZeroplyError

__all__ = ["LoadedPlayer", "ZeroplyError", "__version__", "load"]
__version__ = "0.1.0"

if TYPE_CHECKING:
    from zeroply.apps.python import LoadedPlayer, load
else:

    def __getattr__(name: str) -> object:
        """What plays is imported when it is first asked for: every command and every part imports this."""
        if name in ("LoadedPlayer", "load"):
            from zeroply.apps import python

            return getattr(python, name)
        raise AttributeError(f"module 'zeroply' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
