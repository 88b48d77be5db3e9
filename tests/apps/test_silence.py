"""What the page's docs promise: nothing is noted of a machine, and nothing leaves it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.commands import PROGRAM


def test_a_look_leaves_nothing_in_the_home_of_who_looks(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("ORT_", "XDG_"))}
    subprocess.run([*PROGRAM, "predict"], env={**environment, "HOME": str(tmp_path)}, check=True)
    assert list(tmp_path.iterdir()) == []
