"""What every recipe's net computes in, and that a compiler sees all of it at once."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from tests.recipes.test_recipes import CASES, GAMES, label, lesson, real_rows, small
from zeroply.nets.trunk import Block
from zeroply.recipes import System


@pytest.fixture(params=CASES, ids=label)
def system(request: pytest.FixtureRequest) -> System:
    return small(*request.param)


def columns(system: System) -> dict[str, Tensor]:
    rows = real_rows(system, 3)
    return {name: torch.as_tensor(rows[name]) for name in system.encoding.reads}


def test_in_mixed_precision_tokens_are_bf16_from_block_to_block(system: System) -> None:
    found = list[torch.dtype]()
    for module in system.net.modules():
        if isinstance(module, Block):
            module.register_forward_hook(lambda _, given, out: found.extend((given[0].dtype, out.dtype)))
    with torch.autocast("cpu", torch.bfloat16), torch.inference_mode():
        out = system.net(system.encoding(columns(system)))
    assert found
    assert set(found) == {torch.bfloat16}
    assert {value.dtype for value in out.values()} == {torch.float32}


@pytest.mark.slow
def test_the_net_and_its_loss_are_one_graph_for_the_compiler(system: System) -> None:
    labelled = lesson(system, GAMES[system.game.name][0])

    def learn(rows: dict[str, Tensor]) -> tuple[Tensor, list[Tensor]]:
        out = system.net(system.encoding({name: rows[name] for name in system.encoding.reads}))
        return system.objective(out, rows)[0], [measure(out, rows) for measure in system.measures.values()]

    torch.compiler.reset()  # the compiler counts how often a module is compiled anew
    whole = torch.compile(learn, backend="eager", fullgraph=True, dynamic=False)
    with torch.autocast("cpu", torch.bfloat16):
        torch.testing.assert_close(whole(labelled), learn(labelled))
