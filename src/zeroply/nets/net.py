"""Streams to outputs: embed, think, answer."""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor, nn

from zeroply.encodings.base import Streams


class Net(nn.Module):
    """`mask`, where there is one, tells the trunk by the streams which tokens see which. Every head gets what
    the trunk made, and the streams, by which it knows who faces whom; it names its outputs."""

    def __init__(
        self,
        *,
        embed: nn.Module,
        trunk: nn.Module,
        heads: Mapping[str, nn.Module],
        mask: nn.Module | None = None,
    ) -> None:
        super().__init__()
        self.embed, self.trunk, self.heads, self.mask = embed, trunk, nn.ModuleDict(heads), mask

    def forward(self, streams: Streams) -> dict[str, Tensor]:
        x = self.embed(streams)
        x = self.trunk(x) if self.mask is None else self.trunk(x, self.mask(streams))
        return {name: out for head in self.heads.values() for name, out in head(x, streams).items()}
