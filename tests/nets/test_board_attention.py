"""The GPU's kernels compute what the spelled-out attention does, run by triton's interpreter on this CPU."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.slow
def test_the_kernels_are_the_attention_that_is_spelled_out() -> None:
    pytest.importorskip("triton")
    done = subprocess.run(
        [sys.executable, "-m", "tests.nets.kernel_on_cpu"],
        env={**os.environ, "TRITON_INTERPRET": "1"},  # read once, when a kernel is made
        cwd=HERE.parent.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "a mask"
