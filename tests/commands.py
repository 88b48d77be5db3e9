"""Commands as people call them: in a process of their own."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = [sys.executable, "-c", "from zeroply.apps.cli import main; main()"]


def zeroply(*arguments: object, code: int = 0, text: str | None = None) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*PROGRAM, *map(str, arguments)], capture_output=True, text=True, input=text, check=False
    )
    assert done.returncode == code, done.stderr + done.stdout
    return done


def refused(*arguments: object) -> str:
    """The one line that a command prints when it refuses its input."""
    lines = zeroply(*arguments, code=2).stderr.strip().splitlines()
    assert len(lines) == 1, lines
    return lines[0]
