"""Models for Python programs: `zeroply.load`. Text here, move numbers behind."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from zeroply.apps.position import position_of_board, read_position
from zeroply.errors import PositionError, ZeroplyError
from zeroply.games import Position
from zeroply.players import Glance, NetPlayer, player_of
from zeroply.players.load import load_network
from zeroply.players.ratings import asked
from zeroply.players.rules import HELPS

if TYPE_CHECKING:
    import chess

BATCH = 1024
"""Positions shown to the net at a time: all at once could fill the memory."""
AnyPosition: TypeAlias = "str | chess.Board"
"""A FEN or `startpos`, then moves if there are any, with or without the word `moves`; or a board of
python-chess with its moves."""


def load(
    model: str | Path = "chess",
    *,
    look: str | None = None,
    temperature: float | None = None,
    top_p: float = 1.0,
    seed: int | None = None,
    rating: int | None = None,
    rules: bool = True,
    threads: int | None = None,
) -> LoadedPlayer:
    """A MODEL (a bundled name, `chess` or `xiangqi`, a run folder, a checkpoint or an .onnx file) that plays.

    At `temperature` 0 it always plays its likeliest move, at 1 it draws moves as often as it expects them,
    with `top_p` only from the likeliest that have this share together, and with `seed` the same ones each
    time. With a `rating` it plays like a person of it (0: of one that nobody knows), without it as well as it
    can; with it, and no temperature, moves are drawn the more freely, the lower it is.
    With `look="successors"` it weighs its policy by what the net expects after each legal move, all shown to
    it in one batch; `None` is what the net is made for.
    `rules` are their two helps: a move that wins at once is played, and a winning side neither draws nor
    repeats. `threads` of the CPU: one, unless more are asked for.
    """
    for name, value, least in (("seed", seed, 0), ("threads", threads, 1), ("rating", rating, 0)):
        if value is not None and not (isinstance(value, int) and value >= least):
            raise ZeroplyError(f"{name}={value} will not do: it is a whole number, at least {least}")
    network = load_network(str(model), threads=threads)
    player = player_of(
        network,
        name=str(model),
        look=look,
        rating=asked(network, rating, f"rating={rating}"),
        temperature=temperature,
        top_p=top_p,
        seed=secrets.randbits(32) if seed is None else seed,
        helps=HELPS if rules else (),
    )
    return LoadedPlayer(player)


class LoadedPlayer:
    """A model that is asked in text. Moves are written e2e4, e7e8q; in xiangqi h2e2 with ranks 0 to 9."""

    def __init__(self, player: NetPlayer) -> None:
        self._player = player

    @property
    def game(self) -> str:
        """`chess` or `xiangqi`."""
        return self._player.network.game.name

    def choose(self, position: AnyPosition) -> str:
        """Its move."""
        now = self._read(position)
        if not len(now.legal()):
            raise PositionError(f"there is no move in {now.fen()}: {now.reason()}")
        return self._name(self._player.choose([now])[0])

    def weigh(self, positions: Iterable[AnyPosition]) -> list[list[tuple[str, float]]]:
        """For each position all legal moves with their probabilities, likeliest first: what the net says, to
        many positions at a time, before any help, temperature or draw. None where there is no move."""
        if isinstance(positions, str):
            raise ZeroplyError("weigh takes several positions, not one text. Write weigh([position])")
        read = [self._read(position) for position in positions]
        looks = self._glances([position for position in read if len(position.legal())])
        return [self._pairs(next(looks)) if len(position.legal()) else [] for position in read]

    def _glances(self, positions: Sequence[Position]) -> Iterator[Glance]:
        for at in range(0, len(positions), BATCH):
            yield from self._player.glance(positions[at : at + BATCH])

    def _pairs(self, glance: Glance) -> list[tuple[str, float]]:
        moves, shares = glance.moves.tolist(), glance.probabilities.tolist()
        return [(self._name(move), share) for move, share in zip(moves, shares, strict=True)]

    def __repr__(self) -> str:
        return f"<zeroply player '{self._player.name}' of {self.game}>"

    def _read(self, position: AnyPosition) -> Position:
        game = self._player.network.game
        if isinstance(position, str):
            return read_position(game, position)
        if not hasattr(position, "move_stack"):
            raise PositionError(
                f"a {type(position).__name__} is no position. Give a FEN, 'startpos e2e4' or a chess.Board"
            )
        return position_of_board(game, position, f"The model '{self._player.name}' plays {game.name}")

    def _name(self, move: int) -> str:
        return self._player.network.game.moves.names[move]
