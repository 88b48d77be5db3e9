"""Arrays to .npy files, part by part and to the last byte."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray


def write_npy(
    path: Path, dtype: type[np.generic], shape: tuple[int, ...], parts: Iterable[NDArray[Any]]
) -> None:
    """An array of known shape. Nothing is mapped, so memory stays small; and on a full disk this fails, where
    np.save may lose the last bytes without a word."""
    with path.open("wb") as file:
        header = {"descr": npy.dtype_to_descr(np.dtype(dtype)), "fortran_order": False, "shape": shape}
        npy.write_array_header_1_0(file, header)
        for part in parts:
            file.write(np.ascontiguousarray(part, dtype).tobytes())
