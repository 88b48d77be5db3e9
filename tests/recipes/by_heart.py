"""A batch shown to a net again and again."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from zeroply.recipes import System


def learnt(system: System, batch: dict[str, Tensor], steps: int) -> dict[str, Tensor]:
    """The terms of the loss at the last step."""
    optimizer = torch.optim.Adam(system.net.parameters(), lr=3e-3)
    for _ in range(steps):
        loss, terms = system.objective(system.net(system.encoding(batch)), batch)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # torch's own
        nn.utils.clip_grad_norm_(system.net.parameters(), system.plan.clip)  # as in runs
        optimizer.step()
    return {name: term.detach() for name, term in terms.items()}
