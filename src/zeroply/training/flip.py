"""Left and right exchanged in a share of the rows: of xiangqi that is the same game, so each record teaches
twice. Games where it is not (chess has castling) are left as they are."""

from __future__ import annotations

from functools import cache

import torch
from torch import Tensor

from zeroply.corpus.sample.portion import WHOLE, Portion
from zeroply.games import Frame, Game, game_named
from zeroply.training.drawn import Chance, drawn, seed_for


def flip(
    rows: dict[str, Tensor], game: Game, share: float, seed: int, step: int, portion: Portion = WHOLE
) -> dict[str, Tensor]:
    """Rows [B], a portion of a batch, about `share` of them as in a mirror; seed, step and a row's place in
    the batch alone decide which."""
    if share == 0 or game.flip is None:
        return rows
    generator = torch.Generator(rows["move"].device).manual_seed(seed_for(Chance.FLIPPED, seed, step))
    chosen = drawn(len(rows["move"]), generator, portion) < share
    flipped = flip_all(rows, game)
    return {
        name: torch.where(chosen.view(-1, *[1] * (column.ndim - 1)), flipped[name], column)
        for name, column in rows.items()
    }


def flip_all(rows: dict[str, Tensor], game: Game) -> dict[str, Tensor]:
    """Rows [B] as in a mirror: the columns of a position, `move`, `past` and the moves of `lines`; all
    others stay."""
    squares, moves = _tables(game.name, rows["move"].device)
    flipped = dict(rows)
    for name, column in game.columns.items():
        if name in rows and column.frame is Frame.PIECES:
            flipped[name] = rows[name][:, squares]
        elif name in rows and column.frame is Frame.SQUARE:
            flipped[name] = _looked_up(squares, rows[name])
    for name in rows.keys() & {"move", "past"}:
        flipped[name] = _looked_up(moves, rows[name])
    if "lines" in rows:
        first, worth = rows["lines"].unbind(-1)
        flipped["lines"] = torch.stack([_looked_up(moves, first), worth], -1)
    return flipped


def _looked_up(table: Tensor, numbers: Tensor) -> Tensor:
    """Each number's entry; -1, for none, stays."""
    return torch.where(numbers < 0, numbers, table[numbers.long().clamp(min=0)].to(numbers.dtype))


@cache
def _tables(name: str, device: torch.device) -> tuple[Tensor, Tensor]:
    """[S] and [M] each square and each move of a game as in a mirror, kept on the device."""
    game = game_named(name)
    return torch.as_tensor(game.flip, device=device), torch.as_tensor(game.moves.flip, device=device)
