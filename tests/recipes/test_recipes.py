"""Laws that hold for every recipe, tested over the registry: a new recipe is tested by existing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from tests.recipes.by_heart import learnt
from tests.sources import CHESS, sample_games
from tests.training.frequencies import frequency_baseline, looked_at
from zeroply.corpus.sample.choice import Positions
from zeroply.corpus.sample.following import following
from zeroply.corpus.score import LINES, MATE, NO_EVALUATION, Score
from zeroply.corpus.store import Corpus
from zeroply.errors import ArtefactError, RecipeError
from zeroply.evals.match import play_match
from zeroply.games import Game, game_named, stack
from zeroply.players import player_of
from zeroply.players.onnx import OnnxNetwork
from zeroply.players.simple import RandomPlayer
from zeroply.players.torch import TorchNetwork
from zeroply.recipes import System, find_recipe, recipes, restore, save
from zeroply.training.command import main
from zeroply.training.export import export
from zeroply.training.read_back import read_back

Case = tuple[str, str, Mapping[str, Any]]
CASES: list[Case] = [
    (name, game, variant)
    for name, recipe in recipes().items()
    for game in recipe.games
    for variant in ({}, *recipe.variants)
]


def label(case: Case) -> str:
    name, game, variant = case
    return "-".join([name, game, *(f"{option}={value}" for option, value in variant.items())])


def small(name: str, game: str, variant: Mapping[str, Any] | None = None) -> System:
    torch.manual_seed(0)
    system = find_recipe(name).make_small(game_named(game), variant)
    for module in (system.net, system.encoding):
        if isinstance(module, nn.Module):
            module.eval()
    for weight in system.net.parameters():
        nn.init.normal_(weight, std=0.1)  # biases and geometry must not hide behind zeros
    for module in system.net.modules():
        if isinstance(module, nn.LayerNorm):  # nor a channel behind a gain of nothing
            module.weight.data += 1
    return system


def rows_of(game: Game, moves: list[int], history: int, fen: str) -> dict[str, Any]:
    return dict(_rows_of(game.name, tuple(moves), history, fen))


@cache  # many recipes look at the same games
def _rows_of(name: str, moves: tuple[int, ...], history: int, fen: str) -> dict[str, Any]:
    rows, position = [], game_named(name).start(fen)
    for move in moves:
        rows.append(position.row(history))
        position = position.play(move)
    joined = stack(rows)
    joined["rating"] = np.resize(np.array([2400, 0, 2750], np.int16), len(moves))
    joined["opponent_rating"] = np.resize(np.array([0, 2600], np.int16), len(moves))
    joined["kind"] = np.resize(np.array([0, 2, -1, 1], np.int8), len(moves))
    return joined


def outputs(system: System, rows: dict[str, Any]) -> dict[str, Tensor]:
    with torch.inference_mode():
        out: dict[str, Tensor] = system.net(
            system.encoding({name: torch.as_tensor(column) for name, column in rows.items()})
        )
    return out


def turns(system: System, rows: dict[str, Any]) -> bool:
    """Whether any of the boards is turned for its mover."""
    columns = {name: torch.as_tensor(column) for name, column in rows.items()}
    return bool(system.encoding(columns)["flipped"].any())


@pytest.fixture(params=CASES, ids=label, scope="module")
def system(request: pytest.FixtureRequest) -> System:
    return small(*request.param)


@pytest.fixture(scope="module")
def float32(system: System, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """It, exported: that takes seconds."""
    return exported(system, tmp_path_factory.mktemp("float32"), int8=False)


@pytest.fixture(scope="module")
def int8(system: System, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return exported(system, tmp_path_factory.mktemp("int8"), int8=True)


def exported(system: System, folder: Path, *, int8: bool) -> Path:
    save(system, folder / "m.safetensors", {"steps": 0})
    export(folder / "m.safetensors", folder / "m.onnx", int8=int8)
    return folder / "m.onnx"


def line(text: str, start: str | None = None, game: Game = CHESS) -> Score:
    return Score(start=start, moves=[game.moves.number(name) for name in text.split()])


def random_game(game: Game, seed: int) -> Score:
    random, position = np.random.default_rng(seed), game.start()
    while position.result() is None and position.ply < 60:
        position = position.play(int(random.choice(position.legal())))
    return Score(start=None, moves=position.record()[1])


HARD_CHESS = [
    line("e2e4 a7a6 e4e5 d7d5 e5d6 e7d6 h2h4 h7h5 h1h3 e8e7 g1f3 b8c6 f3g1 c6b8 g1f3 b8c6 h3h1 a8a7"),
    line("a2a4 h7h6 a4a5 b7b5 a5b6 h8h7 b6c7 h7h8 c7b8q a8b8 a1a7 b8b2"),
    line("h7h5 g2g4 h5g4 f2f4 g4f3", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"),
]
"""En passant both ways, rights lost one by one, repetitions, a promotion."""

XIANGQI = game_named("xiangqi")
HARD_XIANGQI = [line("h2e2 h9g7 h0g2 g7h9 g2h0 h9g7 h0g2 g7h9 e2e6 a6a5 a3a4 a5a4", game=XIANGQI)]
"""Repetitions and captures."""

GAMES = {
    "chess": [*HARD_CHESS, *sample_games()[:3], max(sample_games(), key=lambda game: len(game.moves))],
    "xiangqi": [*HARD_XIANGQI, *(random_game(XIANGQI, seed) for seed in (0, 1, 2, 6))],
}
"""A hard one first, the longest last."""
HARD_ROWS: dict[str, Callable[[dict[str, Any]], bool]] = {
    "en_passant": lambda rows: (rows["en_passant"] >= 0).sum() >= 3,
    "repeats": lambda rows: (rows["repeats"] > 0).any(),
    "rights": lambda rows: (rows["rights"].sum(1) == 1).any(),
}
"""What must occur among them, by column: a law says nothing of what does not."""

OTHER_VALUES: dict[str, Callable[[Any], Any]] = {
    "board": lambda column: -column,
    "turn": lambda column: 1 - column,
    "rights": lambda column: 1 - column,
    "en_passant": lambda column: np.full_like(column, 43),
    "halfmove": lambda column: column + 30,
    "repeats": lambda column: column + 2,
    "ply": lambda column: column + 40,
    "past": lambda column: np.full_like(column, 7),
    "rating": lambda column: np.where(column == 0, 2500, 0).astype(column.dtype),
    "opponent_rating": lambda column: np.where(column == 0, 2400, 0).astype(column.dtype),
    "kind": lambda column: (column + 2) % 4 - 1,
}

IN_SHARES: dict[str, Callable[[Any], Any]] = {
    "policy": np.exp,
    "wdl": np.exp,
    "evaluation_bins": np.exp,
    "plies_left": np.log,
}
"""Outputs that are logarithms, or should be, before one asks how far two of them are apart."""

TURNED_BACK: dict[str, Callable[[Tensor, Game], Tensor]] = {
    "policy": lambda policy, game: policy[:, torch.as_tensor(game.moves.mirror)],
    "next_rights": lambda rights, _: torch.cat([rights[:, 2:4], rights[:, :2], rights[:, 4:]], 1),
}
"""Outputs in the absolute frame, as the other side sees them; all others are from the mover's view."""


def straight(system: System, game: Score) -> dict[str, Any]:
    start = game.start or system.game.start().fen()
    return rows_of(system.game, [int(move) for move in game.moves], system.encoding.history, start)


def own_move_alone(count: int) -> dict[str, Tensor]:
    """The labels of rows that each teach their own move, as most samplings have them."""
    return {"taught": torch.ones(count, dtype=torch.int16), "apart": torch.ones(count, dtype=torch.int16)}


def real_rows(system: System, count: int) -> dict[str, Any]:
    return {name: column[:count] for name, column in straight(system, GAMES[system.game.name][-1]).items()}


def turned(system: System, game: Score) -> dict[str, Any]:
    """The rows of a game as if the other side had played it."""
    mirror = system.game.moves.mirror
    start = mirrored_fen(game.start or system.game.start().fen())
    moves = [int(mirror[int(move)]) for move in game.moves]
    return rows_of(system.game, moves, system.encoding.history, start)


@pytest.mark.slow
def test_a_row_and_its_mirror_are_seen_alike(system: System) -> None:
    games = GAMES[system.game.name][:-1]
    rows = stack([straight(system, game) for game in games])
    other = stack([turned(system, game) for game in games])
    other["ply"] = rows["ply"] ^ 1  # a move of both sides keeps its number, whoever of them began it
    for name in HARD_ROWS.keys() & rows.keys():
        assert HARD_ROWS[name](rows), name
    if not turns(system, rows):
        pytest.skip("it turns nothing for the mover")
    there, back = outputs(system, rows), outputs(system, other)
    for name, value in there.items():
        seen = TURNED_BACK[name](back[name], system.game) if name in TURNED_BACK else back[name]
        torch.testing.assert_close(value, seen, rtol=0, atol=1e-4)


def test_intuition_faces_the_mover() -> None:
    for game in ("chess", "xiangqi"):
        system = small("intuition", game)
        assert turns(system, straight(system, GAMES[game][0]))


@pytest.mark.slow
def test_every_column_that_is_read_matters(system: System) -> None:
    rows = straight(system, GAMES[system.game.name][0])
    before = outputs(system, rows)
    for name in system.encoding.reads:
        changed = {**rows, name: OTHER_VALUES[name](rows[name])}
        after = outputs(system, changed)
        assert any(not torch.equal(before[key], after[key]) for key in before), f"{name} changes nothing"


def lines_of(game: Score) -> Tensor:
    """[P, 5, 2] two lines for every second position: its move, and another that is a little worse."""
    lines = torch.full((len(game.moves), LINES, 2), NO_EVALUATION, dtype=torch.int16)
    for ply in range(0, len(game.moves), 2):
        lines[ply, :2] = torch.tensor([[int(game.moves[ply]), 40], [(int(game.moves[ply]) + 1) % 1900, -10]])
    return lines


def lesson(system: System, game: Score) -> dict[str, Tensor]:
    """All rows of a game, with labels."""
    rows = {name: torch.as_tensor(column) for name, column in straight(system, game).items()}
    rows["move"] = torch.as_tensor(game.moves)
    rows["outcome"] = torch.arange(len(rows["move"])) % 3
    rows["evaluation"] = 100 * torch.arange(len(rows["move"]), dtype=torch.int16)
    rows["lines"] = lines_of(game)
    rows["plies_left"] = torch.arange(len(rows["move"]), 0, -1, dtype=torch.int16)
    rows |= own_move_alone(len(rows["move"]))
    return following(rows, system.game, system.objective.reads)


def test_the_loss_is_the_weighted_sum_of_its_terms(system: System) -> None:
    game = GAMES[system.game.name][0]
    rows = lesson(system, game)
    loss, terms = system.objective(outputs(system, straight(system, game)), rows)
    expected = sum(weight * terms[name] for name, weight in system.objective.weights.items())
    assert terms.keys() == system.objective.weights.keys()
    torch.testing.assert_close(loss, torch.as_tensor(expected))


def mirrored_fen(fen: str) -> str:
    board, turn, rights, _, *clocks = fen.split()
    board = "/".join(reversed(board.swapcase().split("/")))
    return " ".join([board, {"w": "b", "b": "w"}[turn], "".join(sorted(rights.swapcase())), "-", *clocks])


def test_policy_is_a_distribution_over_the_table(system: System) -> None:
    out = outputs(system, real_rows(system, 20))
    if "policy" not in out:
        pytest.skip("it has no policy")
    policy = out["policy"]
    assert policy.shape == (20, len(system.game.moves))
    whole = policy.exp().sum(1)
    assert (whole <= 1 + 1e-4).all()
    # castle, elephant and minustwo spread a net's ignorance over more than the moves of the table.
    assert (whole > (0.999 if system.recipe in ("intuition", "smolgen") else 0.05)).all()


@pytest.mark.slow
def test_save_and_restore_give_equal_outputs(system: System, tmp_path: Path) -> None:
    save(system, tmp_path / "m.safetensors", {"steps": 0})
    rows = real_rows(system, 30)
    again, about = restore(tmp_path / "m.safetensors")
    assert about["recipe"] == system.recipe
    assert again.options == system.options
    for name, value in outputs(system, rows).items():
        assert torch.equal(value, outputs(again, rows)[name])


@pytest.mark.slow
def test_the_exported_graph_equals_torch(system: System, float32: Path) -> None:
    rows = real_rows(system, 50)
    ours, theirs = TorchNetwork(system, {}), OnnxNetwork(float32)
    for batch in (slice(0, 1), slice(0, 50)):
        part = {name: column[batch] for name, column in rows.items()}
        for name, value in ours(part).items():
            np.testing.assert_allclose(theirs(part)[name], value, atol=1e-4, err_msg=name)
    seen, expected = theirs.look_inside(rows), ours.look_inside(rows)
    np.testing.assert_array_equal(seen.flipped, expected.flipped)
    for layer, attention in zip(seen.attention, expected.attention, strict=True):
        np.testing.assert_allclose(layer, attention, atol=1e-4)
        np.testing.assert_allclose(layer.sum(-1), 1, atol=1e-4)


@pytest.mark.slow
def test_an_int8_graph_answers_each_position_by_itself(system: System, int8: Path) -> None:
    rows, network = real_rows(system, 20), OnnxNetwork(int8)
    together = network(rows)
    for number in (0, 7, 19):
        alone = network({name: column[number : number + 1] for name, column in rows.items()})
        for name, value in alone.items():
            np.testing.assert_allclose(value[0], together[name][number], atol=1e-5, err_msg=name)
    for name, exact in outputs(system, rows).items():
        in_shares = IN_SHARES.get(name, np.asarray)
        assert np.abs(in_shares(together[name]) - in_shares(exact.numpy())).max() < 0.1, name


@pytest.mark.slow
def test_an_exported_model_does_not_tell_where_it_was_made(float32: Path) -> None:
    assert b".py" not in float32.read_bytes()


READ_BACK = {"castle", "centaur", "elephant", "intuition", "minustwo"}
"""Recipes whose .onnx files can be trained on. Of smolgen's embedding torch keeps only parts."""


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "most"), [("float32", 0.0), ("int8", 0.1)])
def test_an_exported_net_comes_back_with_its_weights_or_is_refused(
    system: System, kind: str, most: float, request: pytest.FixtureRequest
) -> None:
    """`most` is how far they may be off, for their size: a wrong matrix is by more than 1."""
    path: Path = request.getfixturevalue(kind)
    try:
        again, about = read_back(path)
    except ArtefactError as error:
        if system.recipe in READ_BACK or "weights only as torch worked them into its graph" not in str(error):
            raise
        return
    assert (about["training"], again.options) == ({"steps": 0}, system.options)
    for name, weight in again.net.state_dict().items():
        before = system.net.state_dict()[name]
        assert (weight - before).norm() <= most * before.norm(), name


@pytest.mark.slow
def test_eight_positions_are_learnt_by_heart(system: System) -> None:
    batch = {name: torch.as_tensor(column[20:28]) for name, column in real_rows(system, 28).items()}
    batch["move"] = torch.as_tensor(GAMES[system.game.name][-1].moves[20:28])
    batch["outcome"] = torch.tensor([0, 1, 2, 0, 1, 2, 0, -1])
    batch["evaluation"] = torch.tensor(
        [0, 150, -320, 2000, MATE - 1, 8 - MATE, 30, NO_EVALUATION], dtype=torch.int16
    )
    batch["lines"] = lines_of(GAMES[system.game.name][-1])[20:28]
    batch["plies_left"] = torch.tensor([60, 59, 1, 2, 300, 7, -1, 20], dtype=torch.int16)
    batch |= own_move_alone(8)
    batch = following(batch, system.game, system.objective.reads)
    torch.manual_seed(0)
    system = find_recipe(system.recipe).built(system.options, system.game)  # with weights as runs begin
    least = system.objective.least(batch)
    assert sum(float(term - least[name]) for name, term in learnt(system, batch, 300).items()) < 0.02


LAST_MOVES = {
    "chess": [
        line("a7b8r h2g1n e1f2 g1h3", "1n6/P6k/8/8/8/8/7p/4K1R1 w - - 0 1"),
        line("a7b8b h2g1b", "1n6/P6k/8/8/8/8/7p/4K1R1 w - - 0 1"),
        line("a7a8n h2g1r", "1n6/P6k/8/8/8/8/7p/4K1R1 w - - 0 1"),
        line("f2f3 e7e5 g2g4 d8h4"),
    ],
    "xiangqi": [line("a7a8", "3k5/9/RP7/9/9/9/9/9/9/4K4 w - - 0 1", game=XIANGQI)],
}
"""Underpromotions by both sides, and moves that end a game."""


def test_underpromotions_and_last_moves_can_be_learnt(system: System) -> None:
    for game in LAST_MOVES[system.game.name]:
        rows = lesson(system, game)
        loss, terms = system.objective(system.net(system.encoding(rows)), rows)
        loss.backward()  # type: ignore[no-untyped-call]  # torch's own
        assert all(torch.isfinite(term) for term in terms.values())
    for weight in system.net.parameters():
        assert weight.grad is None or torch.isfinite(weight.grad).all()


@pytest.mark.slow
def test_any_net_plays_legal_moves_to_the_end_of_a_game(system: System) -> None:
    player, game = player_of(TorchNetwork(system, {})), system.game
    found = play_match(player, RandomPlayer(1), game, 2, [game.start().fen()], ply_limit=2000)
    assert [played.failed for played in found.played] == [None, None]
    assert not any(played.reason.startswith("no result") for played in found.played)


QUICK = {"depth": 1, "batch": 64, "steps": 200}
"""Beside a recipe's small options those of these that it has: some ten thousand positions in seconds."""
POSITIONS = 32_000
"""Learnt in all, about, by those whose runs are counted in epochs: of the samples it takes more than one."""
CORPORA = {"chess": "chess_of_people", "xiangqi": "xiangqi_of_people"}


@pytest.mark.slow
@pytest.mark.parametrize("name", recipes())
def test_a_short_run_teaches_more_than_frequencies(
    name: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    made = find_recipe(name)
    system = made.make_small(game_named(made.games[0]))
    if "policy" not in system.objective.weights:
        pytest.skip("its loss is not of whole moves: its own tests count what it is of")
    judged = "evaluation" in system.objective.reads
    corpus = Corpus.open(request.getfixturevalue("chess_of_engines" if judged else CORPORA[system.game.name]))
    known = {option.name for option in fields(made.options)}
    quick = {**QUICK, "epochs": max(1, round(POSITIONS / len(corpus.moves)))}
    settings = {**made.small, **{option: value for option, value in quick.items() if option in known}}
    chosen = [f"--set={option}={value}" for option, value in settings.items()]
    main([name, str(corpus.path), "--out", str(tmp_path / "run"), "--positions=all", *chosen])
    found = restore(tmp_path / "run")[1]["training"]["validation"]["validation_policy"]
    rows = looked_at(corpus, replace(system.plan.sampling, positions=Positions.all))
    assert len(rows["move"]) > 700  # of people's and engines' games more than 2,000
    assert found < frequency_baseline(corpus, rows) - 0.2


@pytest.mark.parametrize("name", recipes())
def test_a_run_of_nothing_is_refused(name: str) -> None:
    made = find_recipe(name)
    counts = {"batch", "steps", "epochs", "depth"} & {option.name for option in fields(made.options)}
    assert len(counts) >= 2
    for option in counts:
        wrong = r"=0\.0 of '{}' must be above 0" if option == "epochs" else "=0 of '{}' must be at least 1"
        with pytest.raises(RecipeError, match=f"option {option}{wrong.format(name)}"):
            made.make(game_named(made.games[0]), {option: "0"})


@pytest.mark.parametrize("name", recipes())
def test_no_number_is_too_large_for_a_refusal(name: str) -> None:
    made = find_recipe(name)
    game, small = game_named(made.games[0]), {option: str(value) for option, value in made.small.items()}
    numbers = [option.name for option in fields(made.options) if type(option.default) in (int, float)]
    assert numbers
    for option in numbers:
        with pytest.raises(RecipeError, match=rf"option {option}=\S+ of '{name}' must be (at most|below) "):
            made.make(game, {**small, option: "9" * 20})
        with suppress(RecipeError):  # some may be as large, those of the net may not
            made.make(game, {**small, option: "999999999"})


def test_unknown_recipes_and_options_are_named() -> None:
    with pytest.raises(RecipeError, match=r"no recipe 'intuitoin'\. Recipes: .*intuition"):
        find_recipe("intuitoin")
    with pytest.raises(RecipeError, match=r"has no option 'widht'\. Options: .*width"):
        find_recipe("intuition").make(game_named("chess"), {"widht": "3"})
    with pytest.raises(RecipeError, match="width=wide of 'intuition' is not a whole number"):
        find_recipe("intuition").make(game_named("chess"), {"width": "wide"})


def test_a_broken_checkpoint_is_refused(tmp_path: Path) -> None:
    system = small("intuition", "chess")
    path = tmp_path / "m.safetensors"
    save(system, path, {})
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(ArtefactError, match="is damaged, or no checkpoint"):
        restore(path)
