"""What torch is told before a run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from zeroply.training.arithmetic import set_arithmetic
from zeroply.training.command import main


@pytest.fixture(autouse=True)
def as_torch_has_it() -> Iterator[None]:
    torch.backends.cuda.enable_cudnn_sdp(True)
    yield
    torch.backends.cuda.enable_cudnn_sdp(True)


def test_a_run_leaves_no_attention_to_cudnn(chess: Path, tmp_path: Path) -> None:
    tiny = [f"--set={option}" for option in ("width=16", "depth=1", "heads=2", "inner=16", "batch=16")]
    main(["intuition", str(chess), "--out", str(tmp_path / "run"), *tiny, "--set=steps=1"])
    assert not torch.backends.cuda.cudnn_sdp_enabled()  # type: ignore[no-untyped-call]  # torch's own


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")
@pytest.mark.parametrize("logit", [0.0, -60.0, -95.0, -120.0, 120.0])
def test_the_gradient_of_torchs_attention_is_finite_however_little_tokens_look_for(logit: float) -> None:
    """64 tokens in bf16: at -95 cuDNN 9.19's is not."""
    set_arithmetic()
    heads, width = 12, 64
    q, k, v = (0.1 * torch.randn(512, heads, 64, width, device="cuda") for _ in range(3))
    q[..., 0], k[..., 0] = 1.0, logit * width**0.5
    inputs = [part.bfloat16().requires_grad_() for part in (q, k, v)]
    mixed = torch.nn.functional.scaled_dot_product_attention(inputs[0], inputs[1], inputs[2])
    mixed.backward(torch.randn_like(mixed))  # type: ignore[no-untyped-call]  # torch's own
    for part in inputs:
        assert part.grad is not None
        assert part.grad.isfinite().all()
