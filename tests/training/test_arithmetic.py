"""What torch is told before a run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from zeroply.nets.attention import attend
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
def test_the_gradient_of_attention_is_finite_however_little_tokens_look_for(logit: float) -> None:
    """64 tokens in bf16, as minustwo has them: at -95 cuDNN 9.19's is not."""
    set_arithmetic()
    heads, width = 12, 64
    qkv = 0.1 * torch.randn(512, 64, 3, heads, width, device="cuda")
    qkv[:, :, 0, :, 0], qkv[:, :, 1, :, 0] = 1.0, logit * width**0.5
    flat = qkv.flatten(2).bfloat16().requires_grad_()
    mixed = attend(flat, heads, None, None)
    mixed.backward(torch.randn_like(mixed))  # type: ignore[no-untyped-call]  # torch's own
    assert flat.grad is not None
    assert flat.grad.isfinite().all()
