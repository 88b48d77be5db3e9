"""What every recipe's encoding says of its streams is so."""

from __future__ import annotations

import pytest
import torch

from tests.recipes.test_recipes import CASES, Case, label, real_rows, small


@pytest.mark.parametrize("case", CASES, ids=label)
def test_streams_are_as_large_as_they_say(case: Case) -> None:
    system = small(*case)
    rows = real_rows(system, 40)
    streams = system.encoding({name: torch.as_tensor(rows[name]) for name in system.encoding.reads})
    assert streams["flipped"].shape == (40,)
    for name, stream in system.encoding.streams.items():
        shape = (40, stream.length, stream.width) if stream.width else (40, stream.length)
        assert streams[name].shape == shape, name
        assert stream.width or 0 <= int(streams[name].min()) <= int(streams[name].max()) < stream.vocabulary


@pytest.mark.parametrize("case", CASES, ids=label)
def test_what_is_alike_in_all_tokens_is_named(case: Case) -> None:
    system = small(*case)
    rows = real_rows(system, 40)
    streams = system.encoding({name: torch.as_tensor(rows[name]) for name in system.encoding.reads})
    for name, stream in system.encoding.streams.items():
        if not stream.width or stream.length == 1:
            assert not stream.alike
            continue
        vectors = streams[name]
        varies = (vectors != vectors[:, :1]).any(1).any(0)
        seen = (vectors != 0).any(1).any(0)
        for place in range(stream.width):
            if place in stream.alike:
                assert not varies[place], (name, place)
            elif seen[place]:
                assert varies[place], (name, place)
