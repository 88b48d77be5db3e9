"""Seed 003 from its table of evaluated positions to a net that plays and judges."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from tests.recipes.by_heart import learnt
from tests.recipes.test_recipes import outputs, rows_of, small
from tests.sources import CHESS, ROOT, SAMPLE, sample_games
from zeroply.corpus.build import build
from zeroply.corpus.score import Split
from zeroply.corpus.store import Corpus
from zeroply.errors import RecipeError
from zeroply.evals.calibration import calibration
from zeroply.evals.positions import Sample
from zeroply.players.load import load_network
from zeroply.recipes import System, find_recipe
from zeroply.recipes.base import parameters
from zeroply.recipes.plan import Epochs
from zeroply.training.command import main

EVALUATIONS = ROOT / "examples" / "evals.csv"
PAWNS = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9}
FEW = {"width": "48", "depth": "1", "heads": "4", "inner": "96"}
SMALL = [f"--set={name}={value}" for name, value in FEW.items()]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("corpora") / "evals"
    build(out, [EVALUATIONS], CHESS, shares={Split.validation: 0.1, Split.test: 0.2})
    return out


def test_the_numbers_of_the_seed() -> None:
    with torch.device("meta"):
        system = find_recipe("minustwo").make(CHESS, {})
    shapes = {name: tuple(weight.shape) for name, weight in system.net.named_parameters()}

    def shape(end: str) -> list[tuple[int, ...]]:
        return [found for name, found in shapes.items() if name.endswith(end)]

    assert system.encoding.streams["squares"].length == 64
    assert shape("embed.project.weight") == [(768, 18)]
    assert shape("embed.place") == [(64, 768)]
    assert shape("attention.qkv.weight") == [(3 * 768, 768)] * 12
    assert shape("feed.0.weight") == [(3072, 768)] * 12
    assert shape("policy.layers.0.weight") + shape("policy.layers.2.weight") == [(768, 768), (64, 768)]
    assert shape("evaluation.layers.1.weight") == [(768, 64 * 768)]
    assert 123.4e6 < parameters(system.net) < 123.6e6  # GPT2-124M
    assert system.objective.weights == {"evaluation": 1.0, "policy": 0.5}
    plan = system.plan
    assert (plan.batch, plan.length) == (512, Epochs(1))
    rates = [plan.schedule(step, 258_000, 258_000) for step in (0, 999, 1999, 130_000, 257_999)]
    assert rates == pytest.approx([1 / 2000, 0.5, 1.0, 0.5, 0.0], abs=1e-5)


def rows(system: System) -> dict[str, np.ndarray[tuple[int, ...], np.dtype[np.int8]]]:
    game = max(sample_games(), key=lambda game: len(game.moves))
    return rows_of(CHESS, [int(move) for move in game.moves], 0, CHESS.start().fen())


@pytest.mark.parametrize("causal", ["false", "true"])
def test_squares_in_an_order_see_only_those_before_them_and_the_heads_see_all(causal: str) -> None:
    torch.manual_seed(0)
    system = find_recipe("minustwo").make(CHESS, {**FEW, "depth": "2", "causal": causal})
    system.net.eval()
    tokens = list[torch.Tensor]()
    trunk = next(part for name, part in system.net.named_modules() if name.endswith("trunk"))
    trunk.register_forward_hook(lambda *found: tokens.append(found[2]))
    before = rows(system)
    after = {**before, "board": before["board"].copy()}
    after["board"][:, 20] = np.where(before["board"][:, 20] == 3, 2, 3)
    there, back = outputs(system, before), outputs(system, after)
    seen = (tokens[0] != tokens[1]).any(2).any(0)
    assert seen[20:].all()
    assert seen[:20].any() == (causal == "false")
    assert (there["evaluation"] != back["evaluation"]).all()
    counted = there["policy"] > -torch.inf
    changed = (there["policy"] != back["policy"]) & counted & (back["policy"] > -torch.inf)
    assert changed.any(1).all()


@pytest.mark.slow
def test_eight_evaluations_are_learnt_to_a_hundredth() -> None:
    system = small("minustwo", "chess")
    batch = {name: torch.as_tensor(column[20:28]) for name, column in rows(system).items()}
    batch["move"] = torch.as_tensor(max(sample_games(), key=lambda game: len(game.moves)).moves[20:28])
    batch["evaluation"] = torch.tensor([0, 150, -320, 2000, 31999, -31992, 30, 9000], dtype=torch.int16)
    assert float(learnt(system, batch, 200)["evaluation"]) < 0.01


def test_a_corpus_without_evaluations_is_refused_before_training(tmp_path: Path) -> None:
    build(tmp_path / "games", [SAMPLE], CHESS)
    with pytest.raises(RecipeError, match=r"'minustwo' needs evaluations; corpus .*games has none\. Build"):
        main(["minustwo", str(tmp_path / "games"), "--out", str(tmp_path / "run"), *SMALL])
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
def test_corpora_with_and_without_evaluations_may_be_mixed(corpus: Path, tmp_path: Path) -> None:
    build(tmp_path / "games", [SAMPLE], CHESS)
    mixed = ["minustwo", str(corpus), str(tmp_path / "games"), "--out", str(tmp_path / "run")]
    main([*mixed, *SMALL, "--overfit=8", "--set=epochs=1", "--set=batch=2000"])
    assert (tmp_path / "run" / "model.safetensors").exists()


@pytest.mark.slow
def test_from_the_seeds_table_to_a_model_that_is_measured(corpus: Path, tmp_path: Path) -> None:
    options = ["--set=epochs=1", "--set=batch=64", "--set=warmup=5"]
    main(["minustwo", str(corpus), "--out", str(tmp_path / "run"), *SMALL, *options])
    opened = Corpus.open(corpus)
    numbers = calibration(load_network(str(tmp_path / "run")), Sample(opened))
    assert numbers["evaluations"] == numbers["n"] == len(opened.games_in(Split.test))
    wanted = numbers["evaluation_variance"] * (1 - numbers["explained_variance"])
    assert numbers["evaluation_mse"] == pytest.approx(wanted)
    assert numbers["evaluation_mse_low"] < numbers["evaluation_mse"] < numbers["evaluation_mse_high"]


@pytest.mark.slow
def test_material_is_weighed_for_whoever_is_to_move(tmp_path: Path) -> None:
    """Learnt from White's view as the seed's table has it, told from the mover's."""
    with (tmp_path / "material.csv").open("w") as file:
        file.write("fen,line,depth,knodes,cp,mate\n")
        for game in sample_games()[::2]:
            position = CHESS.start()
            for move in map(int, game.moves):
                board = position.fen().split()[0]
                worth = sum(PAWNS.get(piece.lower(), 0) * (1 if piece.isupper() else -1) for piece in board)
                fen = " ".join(position.fen().split()[:4])
                file.write(f"{fen},{CHESS.moves.names[move]},1,1,{300 * worth},\n")
                position = position.play(move)
    shares = {Split.validation: 0.05, Split.test: 0.1}
    build(tmp_path / "corpus", [tmp_path / "material.csv"], CHESS, shares=shares)
    options = ["--set=epochs=3", "--set=batch=16", "--set=rate=0.003", "--set=warmup=20"]
    main(["minustwo", str(tmp_path / "corpus"), "--out", str(tmp_path / "run"), *SMALL, *options])
    numbers = calibration(load_network(str(tmp_path / "run")), Sample(Corpus.open(tmp_path / "corpus")))
    assert numbers["explained_variance"] > 0.8
