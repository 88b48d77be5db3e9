"""Nets of every kind are played: by their policy, or by a look one ply ahead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.players.nets import MaterialNet
from tests.sources import CHESS
from zeroply.corpus.score import Kind
from zeroply.corpus.told import told
from zeroply.errors import ZeroplyError
from zeroply.evals.match import play_match
from zeroply.games import Position, Rows
from zeroply.players import player_of
from zeroply.players.afterstate import BATCH, SPREAD, AfterstatePlayer
from zeroply.players.policy import PolicyPlayer
from zeroply.players.rules import HELPS
from zeroply.players.simple import RandomPlayer

HANGING = "rnb1kbnr/pppp1ppp/8/4q3/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 1"


def best(net: MaterialNet, fen: str) -> str:
    (move,) = player_of(net).choose([CHESS.start(fen)])
    return CHESS.moves.names[move]


@pytest.mark.parametrize(
    ("outputs", "kind"),
    [
        (("policy",), PolicyPlayer),
        (("policy", "evaluation"), PolicyPlayer),
        (("policy", "wdl"), PolicyPlayer),
        (("value",), AfterstatePlayer),
        (("evaluation",), AfterstatePlayer),
    ],
)
def test_outputs_choose_the_player(outputs: tuple[str, ...], kind: type) -> None:
    player = player_of(MaterialNet(*outputs), rating=2000, helps=HELPS)
    assert type(player) is kind
    assert player.rating is None  # the net reads no rating
    (glance,) = player.glance([CHESS.start(HANGING)])
    assert sorted(glance.moves) == CHESS.start(HANGING).legal().tolist()
    assert glance.probabilities.sum() == pytest.approx(1)
    assert (glance.wdl is None) == ("wdl" not in outputs)
    assert (glance.expected is None) == (outputs == ("policy",))
    assert player.choose([CHESS.start(HANGING)])[0] in CHESS.start(HANGING).legal()


def test_a_net_that_tells_nothing_is_refused() -> None:
    with pytest.raises(ZeroplyError, match=r"a net that returns rights cannot be played\. It needs one of"):
        player_of(MaterialNet("rights"))


@pytest.mark.parametrize("output", ["value", "wdl", "evaluation"])
def test_one_ply_ahead_it_takes_what_hangs(output: str) -> None:
    assert best(MaterialNet(output), HANGING) == "d4e5"
    mirrored = "rnbqkbnr/ppp1pppp/8/3p4/4Q3/8/PPPP1PPP/RNB1KBNR b KQkq - 0 1"
    assert best(MaterialNet(output), mirrored) == "d5e4"


def test_the_rules_tell_what_ends_the_game() -> None:
    queen_or_mate = CHESS.start("6k1/5ppp/q7/8/8/8/5PPP/R2R2K1 w - - 0 1")
    (glance,) = player_of(MaterialNet("value")).glance([queen_or_mate])
    assert CHESS.moves.names[glance.moves[0]] == "d1d8"
    assert glance.expected == glance.expected_of(0) == 1.0
    assert glance.shown == len(glance.moves)


def test_a_look_at_some_moves_keeps_what_each_is_worth() -> None:
    (glance,) = player_of(MaterialNet("wdl")).glance([CHESS.start(HANGING)])
    keep = np.arange(len(glance.moves)) % 3 == 1
    some = glance.only(keep)
    for at, before in enumerate(np.flatnonzero(keep)):
        assert some.moves[at] == glance.moves[before]
        assert some.expected_of(at) == glance.expected_of(int(before))
        assert some.wdl_of(at) == glance.wdl_of(int(before))
    win, draw, loss = glance.wdl or (0, 0, 0)
    assert win + draw / 2 == pytest.approx(glance.expected_of(0))
    assert win + draw + loss == pytest.approx(1)


def test_a_side_that_is_ahead_shuns_a_stalemate() -> None:
    (glance,) = player_of(MaterialNet("value")).glance([CHESS.start("8/8/8/8/8/2k5/1p6/1K6 b - - 0 1")])
    assert CHESS.moves.names[glance.moves[-1]] == "c3b3"
    ahead = 1 / (1 + np.exp(-1 / 4))
    assert glance.expected == pytest.approx(ahead)
    shares = glance.probabilities
    assert shares[-1] / shares[0] == pytest.approx(np.exp((0.5 - ahead) / SPREAD), rel=1e-4)


def test_shares_and_temperature_follow_the_points() -> None:
    position = CHESS.start(HANGING)
    (glance,) = player_of(MaterialNet("value")).glance([position])
    values = SPREAD * np.log(glance.probabilities / glance.probabilities[0]) + glance.expected
    after: Position = position.play(int(glance.moves[3]))
    assert values[3] == pytest.approx(1 - MaterialNet("value")(after.row(0))["value"][0], abs=1e-6)
    drawn = player_of(MaterialNet("value"), temperature=100.0, seed=1).choose([position] * 60)
    assert len(set(drawn)) > 15
    cold = player_of(MaterialNet("value"), temperature=0.05, seed=1).choose([position] * 60)
    assert set(cold) == {int(glance.moves[0])}


SEEN = {"engine": 3500, "puzzle": 0, "label": 0}


class ToldNet(MaterialNet):
    """Likes moves by their number, and keeps as whom it was asked about each position."""

    reads = ("board", "turn", "rating", "kind")
    about: Mapping[str, Any] = {"training": {"rated": True, "strongest": SEEN}}

    def __init__(self, *outputs: str) -> None:
        super().__init__(*outputs)
        self.asked: list[tuple[int, int, int]] = []

    def __call__(self, rows: Rows) -> dict[str, NDArray[np.float32]]:
        self.asked.append((int(rows["kind"][0]), int(rows["rating"][0]), len(rows["turn"])))
        out = super().__call__(rows)
        return out | {"policy": out["policy"] + np.linspace(0, 3, out["policy"].shape[1], dtype=np.float32)}


def test_what_a_net_proposes_is_weighed_by_what_it_leads_to() -> None:
    net, position = ToldNet("policy", "value"), CHESS.start(HANGING)
    legal = position.legal()
    (glance,) = player_of(net, look="successors").glance([position])
    policy = net(position.row(0) | told(1))["policy"][0, legal]
    points = [1 - net(position.play(int(move)).row(0) | told(1))["value"][0] for move in legal]
    wanted = np.exp(policy + np.array(points) / SPREAD)
    found = dict(zip(glance.moves.tolist(), glance.probabilities.tolist(), strict=True))
    assert [found[int(move)] for move in legal] == pytest.approx((wanted / wanted.sum()).tolist(), rel=1e-4)
    assert glance.shown == len(legal) + 1
    assert glance.expected == glance.expected_of(0)


def test_a_solver_or_a_label_proposes_and_an_engine_judges() -> None:
    net, position = ToldNet("policy", "value"), CHESS.start(HANGING)
    successors = len(position.legal())
    for best_, rating, asked in (
        (Kind.puzzle, None, {(Kind.puzzle, 0, 1), (Kind.engine, 3500, successors)}),
        (Kind.label, None, {(Kind.label, 0, 1), (Kind.engine, 3500, successors)}),
        (Kind.engine, None, {(Kind.engine, 3500, 1), (Kind.engine, 3500, successors)}),
        (Kind.puzzle, 2400, {(Kind.human, 2400, 1), (Kind.human, 2400, successors)}),
    ):
        net.asked.clear()
        player_of(net, look="successors", best=best_, rating=rating).glance([position])
        assert set(net.asked) == asked


def test_successors_of_many_positions_are_shown_in_parts_and_kept_apart() -> None:
    net, fens = MaterialNet("value"), [CHESS.start().fen(), HANGING] * 20
    together = player_of(net).glance([CHESS.start(fen) for fen in fens])
    assert net.most_rows == BATCH
    for fen, glance in zip(fens, together, strict=True):
        (alone,) = player_of(net).glance([CHESS.start(fen)])
        assert alone.moves.tolist() == glance.moves.tolist()
        assert alone.expected == pytest.approx(glance.expected)


def test_one_ply_ahead_beats_a_random_mover() -> None:
    start = CHESS.start().fen()
    found = play_match(player_of(MaterialNet("value")), RandomPlayer(3), CHESS, 4, [start], ply_limit=80)
    assert sum(found.points()) >= 2.0
