"""Legality before masking: nets whose mass is known."""

from __future__ import annotations

import numpy as np
import pytest

from tests.evals.oracles import Answers, any_legal, knows
from tests.players.nets import MaterialNet
from zeroply.corpus.score import Split
from zeroply.corpus.store import Corpus
from zeroply.errors import ZeroplyError
from zeroply.evals.legality import legality
from zeroply.evals.measures import joined
from zeroply.evals.positions import Sample
from zeroply.players.torch import TorchNetwork
from zeroply.recipes import recipes


@pytest.mark.parametrize("name", ["corpus", "xiangqi_corpus"])
def test_legal_moves_alone_and_all_moves_alike(name: str, request: pytest.FixtureRequest) -> None:
    corpus: Corpus = request.getfixturevalue(name)
    game = corpus.game
    perfect = legality(Answers(game, policy=any_legal(game)), Sample(corpus, limit=600))
    assert perfect["legal_mass"] == pytest.approx(1.0, abs=1e-6)
    assert perfect["illegal_argmax"] == 0.0
    assert perfect["n"] == 600
    even = legality(Answers(game, policy=knows(0.0, game)), Sample(corpus, limit=600))
    rows = joined(list(Sample(corpus, Split.test, 600, 0).batches(0)))
    share = game.legal(rows).sum(1).mean() / len(game.moves)
    assert even["legal_mass"] == pytest.approx(share, rel=1e-4)
    assert even["illegal_mass"] == pytest.approx(1 - share, rel=1e-4)
    assert even["off_table_mass"] == pytest.approx(0.0, abs=1e-4)
    first_is_legal = game.legal(rows)[:, 0].mean()  # among equals the table decides
    assert even["illegal_argmax"] == pytest.approx(1 - first_is_legal)


def test_mass_off_the_table_is_told(corpus: Corpus) -> None:
    half = Answers(policy=lambda rows: knows(1.0)(rows) + np.log(0.5))
    found = legality(half, Sample(corpus, limit=600))
    assert found["off_table_mass"] == pytest.approx(0.5)
    assert found["legal_mass"] == pytest.approx(0.5)
    assert found["illegal_mass"] == pytest.approx(0.0, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(recipes()))
def test_every_recipes_mass_is_somewhere(name: str, request: pytest.FixtureRequest) -> None:
    recipe = recipes()[name]
    for game in recipe.games:
        corpus: Corpus = request.getfixturevalue("corpus" if game == "chess" else f"{game}_corpus")
        network = TorchNetwork(recipe.make(corpus.game, recipe.small), {})
        if "policy" not in network.outputs:
            pytest.skip(f"{name} has no policy")
        found = legality(network, Sample(corpus, limit=100))
        masses = [found[f"{where}_mass"] for where in ("legal", "illegal", "off_table")]
        assert sum(masses) == pytest.approx(1.0, abs=1e-4)
        assert all(mass >= 0 for mass in masses)


def test_a_net_without_a_policy_is_refused(corpus: Corpus) -> None:
    with pytest.raises(ZeroplyError, match="returns value has no policy"):
        legality(MaterialNet("value"), Sample(corpus, limit=10))
