"""Each step gets its batch, and no run begins twice."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroply.training.steps import Onward


@given(st.integers(0, 20), st.integers(0, 20))
def test_the_steps_from_one_on_come_once_in_order(begin: int, more: int) -> None:
    onward = Onward(begin, begin + more)
    assert len(onward) == begin + more  # as Lightning counts
    assert list(onward) == list(range(begin, begin + more))
    with pytest.raises(RuntimeError, match=f"a run of {begin + more} steps was about to begin anew"):
        iter(onward)
