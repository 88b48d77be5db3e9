"""The processes that share a run, one for each device: how many, which of them this one is, how they start.

On one host Lightning starts them: it runs the same command again. For several hosts torchrun does, and its
environment tells the numbers.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import Any, TypeVar

import torch
from lightning_fabric.plugins.environments.cluster_environment import ClusterEnvironment
from lightning_fabric.plugins.environments.lightning import LightningEnvironment
from lightning_fabric.plugins.environments.torchelastic import TorchElasticEnvironment
from pytorch_lightning.strategies import DDPStrategy
from pytorch_lightning.utilities import rank_zero_only

from zeroply.corpus.sample.portion import Portion
from zeroply.errors import ZeroplyError

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Ranks:
    rank: int = 0
    """Which process this is, over all hosts; number 0 writes files and speaks."""
    local: int = 0
    """Which process of this host."""
    devices: int = 1
    """Processes of each host."""
    hosts: int = 1
    by_torchrun: bool = False

    @classmethod
    def found(cls, devices: int | None) -> Ranks:
        """With so many devices on this host; None leaves it to torchrun, or is one."""
        if TorchElasticEnvironment.detect():
            return cls._from_torchrun(devices)
        devices = devices or 1
        if torch.cuda.is_available() and devices > torch.cuda.device_count():
            raise ZeroplyError(f"--devices {devices}: this machine has {torch.cuda.device_count()} GPUs")
        local = LightningEnvironment().local_rank() if devices > 1 else 0
        return cls(rank=local, local=local, devices=devices)

    @classmethod
    def _from_torchrun(cls, devices: int | None) -> Ranks:
        rank, world, local, here = (
            int(os.environ[name]) for name in ("RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE")
        )
        if devices not in (None, here):
            raise ZeroplyError(
                f"--devices {devices}, but torchrun started {here} processes here. Leave --devices out"
            )
        if world % here:
            raise ZeroplyError(
                f"torchrun started {here} of {world} processes on this host. Start as many on each"
            )
        return cls(rank=rank, local=local, devices=here, hosts=world // here, by_torchrun=True)

    @property
    def count(self) -> int:
        return self.devices * self.hosts

    @property
    def first(self) -> bool:
        """Whether it is for this process to write files and to speak."""
        return self.rank == 0

    @property
    def portion(self) -> Portion:
        return Portion(self.rank, self.count)

    @property
    def device(self) -> torch.device:
        """Where this process computes."""
        return torch.device("cuda", self.local) if torch.cuda.is_available() else torch.device("cpu")

    def check(self, batch: int, option: str) -> None:
        """Whether a batch, of the size that an option such as `--overfit ` was given, can be shared out."""
        if batch % self.count:
            raise ZeroplyError(
                f"a batch of {batch} rows cannot be shared out to {self.count} processes. "
                f"Choose a multiple: {option}{max(1, round(batch / self.count)) * self.count}"
            )

    @property
    def environment(self) -> ClusterEnvironment:
        """How the processes find each other, for Lightning's plugins."""
        return TorchElasticEnvironment() if self.by_torchrun else LightningEnvironment()

    def trainer(self) -> dict[str, Any]:
        """What else Lightning's Trainer is told of it."""
        return {
            "devices": self.devices,
            "num_nodes": self.hosts,
            # All buffers are tables that never change: no need to send them around at every step.
            "strategy": DDPStrategy(broadcast_buffers=False) if self.count > 1 else "auto",
            "use_distributed_sampler": False,  # batches come in portions already
        }


ALONE = Ranks()


@rank_zero_only
def say(line: str) -> None:
    """To whoever waits for the run, by its first process."""
    print(line, file=sys.stderr)


def from_all(value: T) -> list[T]:
    """What each process says, in their order; all have to ask. A process alone hears itself."""
    if not (torch.distributed.is_available() and torch.distributed.is_initialized()):
        return [value]
    found: list[Any] = [None] * torch.distributed.get_world_size()
    torch.distributed.all_gather_object(found, value)
    return found
