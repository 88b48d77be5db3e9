"""Many games ask one net: in batches, each its own answer."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.sources import CHESS
from zeroply.apps.web.together import MOST_ROWS, Together
from zeroply.corpus.told import told
from zeroply.games import Position, Rows, stack
from zeroply.players import player_of
from zeroply.players.base import Network
from zeroply.players.load import load_network

from ..players.nets import MaterialNet


class Held(MaterialNet):
    """Runs only when the test lets it, and notes how many rows it was shown each time."""

    def __init__(self) -> None:
        super().__init__("policy", "value")
        self.go, self.began, self.sizes = threading.Semaphore(0), threading.Semaphore(0), list[int]()

    def __call__(self, rows: Rows) -> dict[str, NDArray[np.float32]]:
        self.sizes.append(len(rows["turn"]))
        self.began.release()
        assert self.go.acquire(timeout=30)
        return super().__call__(rows)


def positions(count: int) -> list[Position]:
    chance, found = np.random.default_rng(5), [CHESS.start()]
    while len(found) < count:
        legal = found[-1].legal()
        found.append(found[-1].play(int(chance.choice(legal))) if len(legal) else CHESS.start())
    return found


def row(position: Position) -> Rows:
    return position.row(0) | told(1)


@pytest.fixture
def people() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(40) as pool:
        yield pool


def test_who_asks_while_the_net_is_busy_is_answered_in_one_batch(people: ThreadPoolExecutor) -> None:
    net = Held()
    together, plain = Together(net), MaterialNet("policy", "value")
    asked = [row(position) for position in positions(2 * MOST_ROWS + 1)]
    first = people.submit(together, asked[0])
    assert net.began.acquire(timeout=30)
    others = [people.submit(together, rows) for rows in asked[1:]]
    while len(together._waiting) < len(others):
        threading.Event().wait(0.01)
    for _ in range(3):
        net.go.release()
    for answer, rows in zip([first, *others], asked, strict=True):
        for name, value in plain(rows).items():
            np.testing.assert_array_equal(answer.result(30)[name], value)
    assert net.sizes == [1, MOST_ROWS, MOST_ROWS], "one alone, then two full batches"


def test_a_large_question_is_asked_whole() -> None:
    net = MaterialNet("value")
    rows = stack([row(position) for position in positions(3 * MOST_ROWS)])
    assert len(Together(net)(rows)["value"]) == net.most_rows == 3 * MOST_ROWS


def test_an_error_reaches_all_who_asked(people: ThreadPoolExecutor) -> None:
    class Broken(MaterialNet):
        def __call__(self, rows: Rows) -> dict[str, NDArray[np.float32]]:
            raise RuntimeError("out of memory")

    together = Together(Broken("value"))
    for _ in range(2):  # nobody is left waiting behind it
        for asked in [people.submit(together, row(CHESS.start())) for _ in range(5)]:
            with pytest.raises(RuntimeError, match="out of memory"):
                asked.result(30)


@pytest.mark.parametrize("name", ["chess", "xiangqi"])
def test_answers_do_not_depend_on_who_else_plays(name: str) -> None:
    network = load_network(name)
    player = player_of(network)
    chance, found = np.random.default_rng(1), [network.game.start()]
    while len(found) < MOST_ROWS:
        found.append(found[-1].play(int(chance.choice(found[-1].legal()))))
    for position, look in zip(found, player.glance(found), strict=True):
        (alone,) = player.glance([position])
        assert alone.moves.tolist() == look.moves.tolist()
        np.testing.assert_allclose(look.probabilities, alone.probabilities, atol=1e-6)
        assert look.expected == pytest.approx(alone.expected, abs=1e-6)


def test_it_passes_for_the_net_itself(network: Network) -> None:
    together = Together(network)
    for name in ("game", "history", "reads", "outputs", "about", "layers"):
        assert getattr(together, name) == getattr(network, name)
