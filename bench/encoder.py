"""Our trunk against the same trunk made of torch's nn.TransformerEncoder, both on one batch again and again.

`python -m bench.encoder CORPUS [OPTION=VALUE …]` runs on a bare machine too: `intuition` as it is trained,
compiled on a GPU, and with a trunk of the same width, depth, heads and feed-forward layers, without a bias,
as torch runs it by itself. One step is forward, loss, backward, clipping, AdamW.
"""

import sys
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from bench.device import median_seconds
from bench.feeding import lessons_of
from zeroply.corpus.sample.ahead import Workers
from zeroply.recipes import System, find_recipe
from zeroply.training.arithmetic import set_arithmetic
from zeroply.training.mixture import Mixture
from zeroply.training.optimizers import optimizer_of
from zeroply.training.ranks import ALONE
from zeroply.training.work import full_speed

WARM_UP, STEPS = 5, 10


def main(corpus: str, *settings: str) -> None:
    set_arithmetic()
    cuda = ALONE.device.type == "cuda"
    mixture = Mixture.open([(Path(corpus), 1.0)])
    chosen = dict(text.split("=", 1) for text in settings)
    ours, theirs = (find_recipe("intuition").make(mixture.game, chosen) for _ in range(2))
    with Workers(0) as workers:
        rows = lessons_of(mixture, ours, workers).batches[0]
    theirs.net.trunk = encoder_like(theirs.options)
    most = full_speed(ours, ALONE.device)
    rates = {}
    for name, system, compiled in (("ours", ours, cuda), ("nn.TransformerEncoder", theirs, False)):
        seconds = step_seconds(system, rows, compiled=compiled)
        rates[name] = len(rows["move"]) / seconds
        share = "" if most is None or name != "ours" else f", MFU {rates[name] / most:.1%}"
        print(f"{name}: {1e3 * seconds:.1f} ms a step, {rates[name]:,.0f} positions/s{share}")
    print(f"ours is {rates['ours'] / rates['nn.TransformerEncoder']:.2f} times as fast")


def encoder_like(options: Any) -> nn.Module:
    layer = nn.TransformerEncoderLayer(
        options.width,
        options.heads,
        options.inner,
        dropout=0.0,
        activation="gelu",
        batch_first=True,
        norm_first=True,
    )
    norm = nn.LayerNorm(options.width)
    return nn.TransformerEncoder(layer, options.depth, norm, enable_nested_tensor=False)


def step_seconds(system: System, rows: dict[str, Tensor], *, compiled: bool) -> float:
    whole = nn.ModuleList([system.net, system.encoding]).to(ALONE.device)  # type: ignore[list-item]
    net, encoding = whole
    optimizer = optimizer_of(system.plan, net, fused=ALONE.device.type == "cuda")
    seen = {name: rows[name] for name in system.encoding.reads}

    def loss(seen: dict[str, Tensor], rows: dict[str, Tensor]) -> Tensor:
        return system.objective(net(encoding(seen)), rows)[0]

    learn = torch.compile(loss) if compiled else loss

    def steps() -> None:
        for _ in range(STEPS):
            with torch.autocast(ALONE.device.type, torch.bfloat16):
                value = learn(seen, rows)
            value.backward()  # type: ignore[no-untyped-call]  # torch's own
            nn.utils.clip_grad_norm_(net.parameters(), system.plan.clip)
            optimizer.step()
            optimizer.zero_grad()
        float(value.detach())  # waits for the device

    for _ in range(WARM_UP):
        steps()
    return median_seconds(steps) / STEPS


if __name__ == "__main__":
    main(*sys.argv[1:])
