"""The loss of a policy made of two parts: which moves are right, and among which moves.

Shapes: B batch, K right moves at the most, M moves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

import torch
from torch import Tensor

from zeroply.games import Rows
from zeroply.objectives.evaluation_scale import known, preference


class RightMoves(Protocol):
    @property
    def reads(self) -> tuple[str, ...]:
        """The labels that it looks at."""
        ...

    def __call__(self, rows: Rows) -> tuple[Tensor, Tensor]:
        """[B, K] moves, any where the share is 0, and [B, K] their shares, which sum to 1."""
        ...


class PlayedMove:
    """The played move is right and no other."""

    reads: tuple[str, ...] = ("move",)

    def __call__(self, rows: Rows) -> tuple[Tensor, Tensor]:
        move = rows["move"].long()[:, None]
        return move, torch.ones_like(move, dtype=torch.float32)


PLAYED_MOVE = PlayedMove()


class BestLines:
    """Of an engine's several best moves each is right by a share: softmax(`preference` / `temperature`), in
    centipawns. By the points that moves are worth nearly all would be right in a won position, and a net that
    learnt so does not win it. Where the engine did not name several moves, the played one is right alone."""

    reads: tuple[str, ...] = ("move", "lines")

    def __init__(self, temperature: float) -> None:
        self._temperature = temperature

    def __call__(self, rows: Rows) -> tuple[Tensor, Tensor]:
        played = rows["move"].long()[:, None]
        named, worth = rows["lines"].long().unbind(-1)
        there = known(worth)
        several = there.sum(1, keepdim=True) > 1
        # An engine stopped within a depth has looked at its first move again and not yet at the others: what
        # it thought of them before may be more, but it plays the first.
        logits = preference(torch.minimum(worth, worth[:, :1])) / self._temperature
        shares = torch.where(there, logits, -torch.inf).where(several, 0.0).softmax(1) * several
        moves = torch.cat([played, torch.where(there, named, played)], 1)
        return moves, torch.cat([1.0 - several.float(), shares], 1)


class PolicyNLL:
    """Cross-entropy in nats between `policy` and the right moves, among those that `possible` finds by the
    rows [B, M], or among all. What the policy gives to all others counts by `elsewhere`: with 0 the net need
    not learn the rules, and its first choice may break them until a player looks at the legal moves alone;
    with 1 this is the loss over the whole table."""

    def __init__(
        self,
        right: RightMoves = PLAYED_MOVE,
        possible: Callable[[Rows], Tensor] | None = None,
        elsewhere: float = 1.0,
    ) -> None:
        self._right, self._possible, self._elsewhere = right, possible, elsewhere
        self.reads = right.reads

    def __call__(self, out: Mapping[str, Tensor], rows: Rows) -> Tensor:
        moves, shares = self._right(rows)
        policy = out["policy"]
        nll = -(policy.gather(1, moves) * shares).sum(1)
        if self._possible is not None:
            # Right moves are possible, whatever the rules say: else a false record would be endlessly wrong.
            possible = self._possible(rows).scatter(1, moves, True)
            nll = nll + (1 - self._elsewhere) * policy.where(possible, -torch.inf).logsumexp(1)
        return nll.mean()

    def counted(self, rows: Rows) -> Tensor:
        return torch.as_tensor(len(rows["turn"]))

    def least(self, rows: Rows) -> Tensor:
        entropy: Tensor = torch.special.entr(self._right(rows)[1]).sum(1).mean()
        return entropy
