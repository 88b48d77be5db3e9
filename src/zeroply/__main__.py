"""The programs `zeroply`, `zeroply-uci` and `zeroply-ucci`; `python -m zeroply …` is the first.

Hardly anything is imported before Ctrl-C is waited for: a program that is stopped while it starts says so, as
one that is stopped later.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def _one_word_when_stopped() -> Iterator[None]:
    try:
        yield
    except (KeyboardInterrupt, ImportError) as error:
        if isinstance(error, ImportError) and not isinstance(error.__cause__, KeyboardInterrupt):
            raise  # compiled modules make the one of the other
        print("stopped", file=sys.stderr)
        sys.exit(130)


def main() -> None:
    with _one_word_when_stopped():
        from zeroply.apps.cli import main as run

        run()


def uci() -> None:
    """For programs that start an engine by a file, without arguments."""
    with _one_word_when_stopped():
        from zeroply.apps.uci import run

        run("chess")


def ucci() -> None:
    """Likewise, of Chinese chess."""
    with _one_word_when_stopped():
        from zeroply.apps.ucci import run

        run("xiangqi")


if __name__ == "__main__":
    main()
