"""The recipe that we ship, at its sizes and with its parts."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.recipes.test_recipes import GAMES, lesson, outputs, real_rows, small
from tests.sources import CHESS, SAMPLE
from zeroply.corpus.build import build
from zeroply.corpus.sample.shuffle import BLOCK
from zeroply.corpus.score import Kind, Split
from zeroply.corpus.store import Corpus
from zeroply.errors import RecipeError
from zeroply.evals.calibration import calibration
from zeroply.evals.positions import Sample
from zeroply.games import game_named
from zeroply.players import player_of
from zeroply.players.load import load_network
from zeroply.recipes import find_recipe
from zeroply.recipes.base import parameters
from zeroply.recipes.plan import Steps
from zeroply.recipes.schedules import Constant, Schedule, Stairs, WarmupCosine, WarmupStableDecay
from zeroply.training.command import main

INTUITION = find_recipe("intuition")
SMALL = {"width": "16", "depth": "1", "heads": "2", "inner": "16"}
EVERYTHING = {
    "drawing": 16,
    "conditioning": "players",
    "loss": "pseudo_legal",
    "soft": 100,
    "evaluation_weight": 0.3,
    "plies_left_weight": 0.1,
}


@pytest.mark.parametrize("game", ["chess", "xiangqi"])
@pytest.mark.parametrize(("size", "millions"), [("s", 7.5), ("m", 13.4), ("l", 42)])
def test_a_size_has_about_so_many_parameters(game: str, size: str, millions: float) -> None:
    with torch.device("meta"):  # shapes without numbers
        system = INTUITION.make(game_named(game), {"size": size})
    assert 0.94 * millions < parameters(system.net) / 1e6 < 1.06 * millions


def test_what_is_set_by_name_wins_over_the_size_in_any_order() -> None:
    for settings in ({"size": "m", "width": "96"}, {"width": "96", "size": "m"}):
        options = INTUITION.make(CHESS, settings).options
        assert (options.size, options.width, options.heads) == ("m", 96, 6)


def test_the_smallest_size_is_the_default() -> None:
    assert INTUITION.make(CHESS, {"size": "s"}).options == INTUITION.make(CHESS, {}).options


def test_an_unknown_size_is_refused() -> None:
    with pytest.raises(RecipeError, match="size=xl of 'intuition' is not one of s, m, l"):
        INTUITION.make(CHESS, {"size": "xl"})


@pytest.mark.parametrize(
    "setting", ["drawing=0", "evaluation_bins=0", "depth=0", "elsewhere=1.5", "forget=-0.1"]
)
def test_numbers_that_make_no_net_are_refused(setting: str) -> None:
    name, _, value = setting.partition("=")
    with pytest.raises(RecipeError, match=f"option {setting} of 'intuition'"):
        INTUITION.make(CHESS, {name: value})


def test_a_part_without_weight_is_not_there() -> None:
    none = INTUITION.make_small(CHESS, {"outcome_weight": 0.0})
    assert set(outputs(none, real_rows(none, 3))) == {"policy"}
    assert none.objective.reads == {"move"}
    every = INTUITION.make_small(CHESS, {"evaluation_weight": 0.5, "plies_left_weight": 0.1})
    rows = real_rows(every, 3)
    told = {"policy", "wdl", "value", "evaluation", "evaluation_bins", "plies_left", "plies_left_log"}
    assert set(outputs(every, rows)) == told


def test_both_ratings_and_kinds_are_told_apart() -> None:
    system = small("intuition", "chess", {"conditioning": "players"})
    row = {name: np.repeat(column[:1], 5, 0) for name, column in real_rows(system, 1).items()}
    row["rating"] = np.array([2500, 2300, 2500, 2500, 3400], np.int16)
    row["opponent_rating"] = np.array([2500, 2500, 2300, 2500, 3400], np.int16)
    row["kind"] = np.array([0, 0, 0, 2, 1], np.int8)
    seen = outputs(system, row)["wdl"]
    assert torch.cdist(seen, seen).add(torch.eye(5)).min() > 1e-5


def test_people_are_cut_where_the_corpora_end_and_engines_later() -> None:
    system = small("intuition", "chess", {"conditioning": "players"})
    row = {name: np.repeat(column[:1], 4, 0) for name, column in real_rows(system, 1).items()}
    row["rating"] = np.array([2900, 3600, 2900, 3600], np.int16)
    row["opponent_rating"], row["kind"] = np.zeros(4, np.int16), np.array([0, 0, 1, 1], np.int8)
    people, same, weak, strong = outputs(system, row)["wdl"]
    assert torch.equal(people, same)
    assert not torch.equal(weak, strong)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["chess", "xiangqi"])
def test_net_and_loss_are_compiled_whole(game: str) -> None:
    """Something that torch.compile cannot read would cut the graph, or mean something else in it."""
    system = small("intuition", game, EVERYTHING)
    rows = lesson(system, GAMES[game][0])
    expected = system.net(system.encoding(rows))
    loss, _ = system.objective(expected, rows)

    def step(rows: dict[str, torch.Tensor]) -> torch.Tensor:
        return system.objective(system.net(system.encoding(rows)), rows)[0]

    torch.testing.assert_close(torch.compile(step, backend="eager", fullgraph=True)(rows), loss)


def evaluated(path: Path) -> Path:
    """Positions of the sample's games with two lines each, the played move the better by a pawn."""
    build(path / "games", [SAMPLE], CHESS)
    lines, corpus = [], Corpus.open(path / "games")
    for game in range(40):
        position = CHESS.start()
        for move in corpus.moves[corpus.offsets[game] : corpus.offsets[game + 1]][:40]:
            other = int(position.legal()[0])
            value = 100 * (1 - 2 * position.turn)
            pvs = [
                {"cp": value, "line": CHESS.moves.names[int(move)]},
                {"cp": 0, "line": CHESS.moves.names[other]},
            ]
            lines.append(json.dumps({"fen": position.fen(), "evals": [{"depth": 9, "pvs": pvs}]}))
            position = position.play(int(move))
    (path / "evals.jsonl").write_text("\n".join(lines))
    return path / "evals.jsonl"


@pytest.mark.slow
def test_all_parts_learn_from_a_mixture(tmp_path: Path) -> None:
    evals = evaluated(tmp_path)
    for name, source in (("people", SAMPLE), ("evals", evals)):
        build(tmp_path / name, [source], CHESS, shares={Split.validation: 0.1, Split.test: 0.1})
    settings = {**INTUITION.small, **EVERYTHING, "steps": 60, "batch": 64}
    main(
        [
            *(
                "intuition",
                str(tmp_path / "people"),
                f"{tmp_path / 'evals'}=2",
                "--out",
                str(tmp_path / "run"),
            ),
            *(f"--set={name}={value}" for name, value in settings.items()),
        ]
    )
    network = load_network(str(tmp_path / "run"))
    training = network.about["training"]
    assert training["strongest"].keys() == {"human", "label"}
    terms = ("policy", "wdl", "evaluation", "plies_left")
    assert all(np.isfinite(training["validation"][f"validation_{term}"]) for term in terms)
    assert player_of(network).told["kind"] == Kind.label
    found = calibration(network, Sample(Corpus.open(tmp_path / "evals")))
    # The mover's pawn of advantage on the scale of evaluations, and nothing to tell positions apart by.
    assert found["evaluation_mse"] < 0.02
    assert found["evaluations"] == found["n"]


@pytest.mark.parametrize(
    ("name", "schedule"),
    [
        ("constant", Constant()),
        ("step", Stairs((1.0, 0.1, 0.01))),
        ("cosine", WarmupCosine(warmup=1000)),
        ("wsd", WarmupStableDecay(warmup=1000, decay=0.4)),
    ],
)
def test_schedules_by_name(name: str, schedule: Schedule) -> None:
    assert INTUITION.make(CHESS, {**SMALL, "schedule": name}).plan.schedule == schedule


def test_patience_is_in_steps_and_off_unless_asked_for() -> None:
    assert INTUITION.make(CHESS, SMALL).plan.patience is None
    assert INTUITION.make(CHESS, {**SMALL, "patience": "300"}).plan.patience == Steps(300)


def test_how_much_is_mixed_can_be_set() -> None:
    assert INTUITION.make(CHESS, SMALL).plan.chunk == BLOCK
    assert INTUITION.make(CHESS, {**SMALL, "chunk": "33554432"}).plan.chunk == 2**25


@pytest.mark.parametrize(
    ("option", "flaw"),
    [
        ("decay=2", "must be at most 1"),
        ("average=1", "must be below 1"),
        ("chunk=0", "must be at least 1"),
        ("evaluation_bins=1", "must be at least 2"),
        ("history=99999999", "must be at most 1,000"),
        ("depth=99999999999999999999", "must be at most 1,000"),
        (f"depth={'9' * 400}", "must be at most 1,000"),
        ("steps=99999999999999999999", "must be at most 1,000,000,000"),
        ("rate=1e300", r"must be at most 1,000,000,000"),
        ("rate=1e400", "must be a number"),
        ("heads=0", "must be at least 1"),
        ("rate=nan", "must be a number"),
        ("rate=-1", "must be at least 0"),
    ],
)
def test_numbers_of_no_use_are_refused(option: str, flaw: str) -> None:
    name, _, value = option.partition("=")
    with pytest.raises(RecipeError, match=rf"option {name}=\S+ of 'intuition' {flaw}$"):
        INTUITION.make(CHESS, {name: value})
