"""A batch shown to a net again and again."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

from zeroply.recipes import System


def learning(system: System, batch: dict[str, Tensor]) -> Iterator[dict[str, Tensor]]:
    """The terms of the loss at each step, without an end."""
    optimizer = torch.optim.Adam(system.net.parameters(), lr=3e-3)
    while True:
        loss, terms = system.objective(system.net(system.encoding(batch)), batch)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # torch's own
        optimizer.step()
        yield {name: term.detach() for name, term in terms.items()}
