"""Muon for matrices and AdamW for all other weights, as one optimizer.

After Keller Jordan's Muon (https://kellerjordan.github.io/posts/muon), with steps as long as AdamW's as in
"Muon is Scalable for LLM Training". `torch.optim.Muon` does the same for one matrix after the other; here all
of one shape are turned at once, since a GPU would mostly wait for the next of many small products.

Shapes: N matrices, A rows, B columns.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

COEFFICIENTS = (3.4445, -4.7750, 2.0315)
"""Of the polynomial that is applied over and over: steep at zero, near one from there on."""
ROUNDS = 5
LENGTH = 0.2
"""How far AdamW moves a weight in a step, about, as a share of the rate."""
TINY = 1e-7


class Muon(torch.optim.Optimizer):
    """`matrices` are groups of matrices, with `parts` for each: how many of them lie in it, one above the
    other, and are turned apart."""

    def __init__(
        self,
        matrices: Sequence[dict[str, Any]],
        others: Sequence[dict[str, Any]],
        *,
        momentum: float,
        betas: tuple[float, float],
        fused: bool = False,
    ) -> None:
        super().__init__([*({**group, "momentum": momentum} for group in matrices), *others], {})
        self._adamw = torch.optim.AdamW(self._of_adamw(), betas=betas, fused=fused)
        self._share()

    def _of_adamw(self) -> list[dict[str, Any]]:
        return [group for group in self.param_groups if "momentum" not in group]

    def _share(self) -> None:
        """AdamW works on the groups and the state of this optimizer, which alone is saved and restored."""
        self._adamw.param_groups, self._adamw.state = self._of_adamw(), self.state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        super().load_state_dict(state_dict)
        self._share()

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> float | None:  # type: ignore[override]
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            if "momentum" in group:
                self._turn(group)
        self._adamw.step()
        return loss

    def _turn(self, group: dict[str, Any]) -> None:
        known = [
            (w, parts) for w, parts in zip(group["params"], group["parts"], strict=True) if w.grad is not None
        ]
        weights, gradients = [weight for weight, _ in known], [weight.grad for weight, _ in known]
        for weight in weights:
            if not self.state[weight]:
                self.state[weight]["momentum"] = torch.zeros_like(weight)
        momenta = [self.state[weight]["momentum"] for weight in weights]
        torch._foreach_lerp_(momenta, gradients, 1 - group["momentum"])
        ahead = torch._foreach_lerp(gradients, momenta, group["momentum"])  # after Nesterov
        torch._foreach_mul_(weights, 1 - group["lr"] * group["weight_decay"])
        alike: dict[torch.Size, list[tuple[Tensor, Tensor]]] = {}
        for (weight, parts), update in zip(known, ahead, strict=True):
            for target, piece in zip(weight.chunk(parts), update.chunk(parts), strict=True):
                wide = (target.mT, piece.mT) if target.shape[0] > target.shape[1] else (target, piece)
                alike.setdefault(wide[1].shape, []).append(wide)
        for shape, pieces in alike.items():
            turned = orthogonal(torch.stack([piece for _, piece in pieces]))
            length = group["lr"] * LENGTH * math.sqrt(max(shape))
            torch._foreach_add_([target for target, _ in pieces], list(turned.unbind()), alpha=-length)


def orthogonal(matrices: Tensor) -> Tensor:
    """[N, A, B], none taller than wide, -> [N, A, B] with singular values of about one: by Newton and Schulz,
    in bf16 where that is fast."""
    first, third, fifth = COEFFICIENTS
    x = matrices.bfloat16() if matrices.is_cuda else matrices
    x = x / x.norm(dim=(1, 2), keepdim=True).clamp(min=TINY)
    for _ in range(ROUNDS):
        square = x @ x.mT
        x = torch.baddbmm(x, torch.baddbmm(square, square, square, beta=third, alpha=fifth), x, beta=first)
    return x.to(matrices.dtype)
