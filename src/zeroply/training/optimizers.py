"""The optimizer that a plan asks for: which weights are in which group, with which rate and decay."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from zeroply.errors import RecipeError
from zeroply.nets.attention import Attention
from zeroply.nets.trunk import Trunk
from zeroply.recipes import plan as plans
from zeroply.recipes.plan import Plan
from zeroply.training.muon import Muon

Groups = dict[tuple[bool, float], list[nn.Parameter]]
"""Weights by whether they decay and by the factor on their rate."""


def optimizer_of(plan: Plan, net: nn.Module, *, fused: bool) -> torch.optim.Optimizer:
    """Decay is for the matrices of linear layers alone. `fused`: by a kernel for GPUs."""
    factors = _factors(plan, net)
    matrices = {id(layer.weight) for layer in net.modules() if isinstance(layer, nn.Linear)}
    turned = parts_of_matrices(net) if isinstance(plan.optimizer, plans.Muon) else {}
    by_adamw: Groups = {}
    by_muon: Groups = {}
    for name, weight in net.named_parameters():
        groups = by_muon if id(weight) in turned else by_adamw
        groups.setdefault((id(weight) in matrices, factors[name]), []).append(weight)
    others = [_group(plan, *kind, weights) for kind, weights in by_adamw.items()]
    if not isinstance(plan.optimizer, plans.Muon):
        return torch.optim.AdamW(others, betas=plan.optimizer.betas, fused=fused)
    hidden = [
        {**_group(plan, *kind, weights), "parts": [turned[id(weight)] for weight in weights]}
        for kind, weights in by_muon.items()
    ]
    betas, momentum = plan.optimizer.betas, plan.optimizer.momentum
    return Muon(hidden, others, momentum=momentum, betas=betas, fused=fused)


def parts_of_matrices(net: nn.Module) -> dict[int, int]:
    """By the id of each matrix in a trunk, how many lie in it one above the other: queries, keys and values
    are made by one."""
    trunks = [module for module in net.modules() if isinstance(module, Trunk)]
    inside = [module for trunk in trunks for module in trunk.modules()]
    parts = {id(layer.weight): 1 for layer in inside if isinstance(layer, nn.Linear)}
    return parts | {id(layer.qkv.weight): 3 for layer in inside if isinstance(layer, Attention)}


def _factors(plan: Plan, net: nn.Module) -> dict[str, float]:
    """By the name of each weight, the factor on its rate."""
    names = [name for name, _ in net.named_parameters()]
    for begin in plan.slower:
        if not any(name.startswith(begin) for name in names):
            raise RecipeError(f"the plan slows '{begin}' down, but no parameter begins so")
    return {
        name: next((factor for begin, factor in plan.slower.items() if name.startswith(begin)), 1.0)
        for name in names
    }


def _group(plan: Plan, decays: bool, factor: float, weights: list[nn.Parameter]) -> dict[str, Any]:
    decay = plan.optimizer.weight_decay if decays else 0.0
    return {"params": weights, "lr": factor * plan.optimizer.rate, "weight_decay": decay}
