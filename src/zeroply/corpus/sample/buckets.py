"""Records spread over temporary files, to be read back file by file: more of them than memory holds."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryFile
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray


class Buckets:
    """To be used in a `with`. Each record is written once and read once; what was read is gone from disk."""

    def __init__(self, folder: Path, count: int, dtype: np.dtype[Any]) -> None:
        self._open = ExitStack()
        self._files = [self._open.enter_context(TemporaryFile(dir=folder)) for _ in range(count)]  # noqa: SIM115
        self._dtype = dtype

    def __len__(self) -> int:
        return len(self._files)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def add(self, bucket: NDArray[Any], records: NDArray[Any]) -> None:
        """Records [N], each into its bucket [N]; there they keep their order."""
        order = np.argsort(bucket, kind="stable")
        cuts = np.searchsorted(bucket[order], np.arange(1, len(self)))
        for file, some in zip(self._files, np.split(records[order], cuts), strict=True):
            file.write(some.tobytes())

    def take(self, number: int) -> NDArray[Any]:
        """All records of a bucket, for the only time."""
        file = self._files[number]
        file.seek(0)
        records = np.frombuffer(file.read(), self._dtype)
        file.close()
        return records
