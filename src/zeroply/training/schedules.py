"""Learning rates as shares of the highest, by step."""

from __future__ import annotations

from collections.abc import Callable


def warmup_stable_decay(*, steps: int, warmup: int, decay: float) -> Callable[[int], float]:
    """Up over `warmup` steps, level, then down to zero over the last `decay` share of the steps."""
    falling = max(1, round(decay * steps))
    rising = max(1, min(warmup, steps - falling))

    def share(step: int) -> float:
        return max(0.0, min((step + 1) / rising, 1.0, (steps - step) / falling))

    return share
