"""Lightning's Trainer, as runs here want it: it writes, prints and advises nothing of its own."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytorch_lightning as pl

from zeroply.training.checkpoint_io import StateIO
from zeroply.training.ranks import Ranks

NEEDLESS = (
    "does not have many workers",  # blocks of many batches are made on the device or by workers of our own
    "have no `val_dataloader`",  # a corpus may have none
    "your dataloader is not resumable",  # batch k is known
    "LeafSpec",  # Lightning's own, of torch's internals
    "broadcast_buffers",  # until torch 2.11 the only name
)
"""Parts of warnings."""


@contextmanager
def quiet() -> Iterator[None]:
    """Without Lightning's greetings and advice."""
    loggers = [logging.getLogger(name) for name in ("pytorch_lightning", "lightning_fabric")]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            for part in NEEDLESS:
                warnings.filterwarnings("ignore", message=f".*{part}.*")
            yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)


def trainer_for(ranks: Ranks, callbacks: Sequence[pl.Callback], *, steps: int, **more: Any) -> pl.Trainer:
    """Of a run of so many steps, in bf16 where there is a GPU; `more` is what else Lightning is told."""
    cuda = ranks.device.type == "cuda"
    return pl.Trainer(
        **ranks.trainer(),
        accelerator="gpu" if cuda else "cpu",
        precision="bf16-mixed" if cuda else "32-true",
        max_steps=steps,
        num_sanity_val_steps=0,
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        plugins=[ranks.environment, StateIO()],
        callbacks=list(callbacks),
        **more,
    )
