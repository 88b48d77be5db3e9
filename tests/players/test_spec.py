"""Players as text."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.players.nets import MaterialNet
from zeroply.apps.cli.eval_options import Asked, Mode, player_and_about
from zeroply.artefacts import LAST
from zeroply.errors import ArtefactError, EngineError, ZeroplyError
from zeroply.games import game_named
from zeroply.players.afterstate import AfterstatePlayer
from zeroply.players.drawing import usual_temperature
from zeroply.players.load import UnknownModelError, model_file
from zeroply.players.policy import PolicyPlayer
from zeroply.players.rules import HELPS
from zeroply.players.simple import GreedyPlayer, RandomPlayer
from zeroply.players.spec import about, parse_player, players_game

CHESS, XIANGQI = game_named("chess"), game_named("xiangqi")
SCRIPT = Path(__file__).parent / "buggy_engine.py"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", "no player is named"),
        ("'random", "is not a player"),
        ("nobody", "there is no player 'nobody'.*random, greedy, or an engine: 'uci:stockfish"),
        ("rndom", "there is no player 'rndom'"),
        ("no/run", "there is no player 'no/run'.*a run folder, a checkpoint or an .onnx file"),
        ("random 5", "what is '5' in player 'random 5'"),
        ("random =5", "name=value"),
        ("random depth=5", "unknown option 'depth' .* Known: seed"),
        ("greedy seed=x", "seed=x .* whole number"),
        ("chess temperature=nan", "temperature=nan .* is not a number from 0 to 100"),
        ("chess rating=99999", "from 0 to 4000"),
        (
            "chess rating=1200",
            "rating=1200 in player 'chess rating=1200' will not do: the model knows players",
        ),
        ("chess best=human", "best=human in player 'chess best=human' is not one of engine, puzzle"),
        (
            "chess best=puzzle rating=2400",
            "best=puzzle in player .* will not do beside a rating, .* Leave out one",
        ),
        ("chess top_p=1.5", "top_p=1.5 .* is not a number from 0 to 1"),
        ("chess look=both", "look=both in player 'chess look=both' is not one of policy, successors"),
        ("uci:", "names no engine"),
        ("ucci:", "names no engine"),
        ("usi:engine", "there is no player 'usi:engine'"),
        ("uci:no-such-engine depth=5", "there is no engine 'no-such-engine'"),
        (f"uci:{sys.executable} {SCRIPT} depth=0", "depth=0"),
        (f"uci:{sys.executable} {SCRIPT} depth=5 sound", "what is 'sound'"),
        (f"uci:{sys.executable} {SCRIPT} Hash=x", "spin option 'Hash'"),
    ],
)
def test_bad_text_is_one_line(text: str, wanted: str) -> None:
    with pytest.raises(ZeroplyError, match=wanted) as caught:
        parse_player(text, CHESS)
    assert "\n" not in str(caught.value)


def test_a_players_name_is_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In any command; the folder has a path."""
    (tmp_path / "random").mkdir()
    monkeypatch.chdir(tmp_path)
    assert isinstance(parse_player("random", CHESS), RandomPlayer)
    with pytest.raises(UnknownModelError, match=r"'random' is a player without a net; .* \./random"):
        model_file("random")
    with player_and_about(Asked(model="random", mode=Mode.best), "puzzle") as (player, _, told):
        assert isinstance(player, RandomPlayer)
        assert told["program"] == "random"
    with pytest.raises(
        ArtefactError, match=r"the folder \./random is no run, .* it holds no last\.safetensors"
    ):
        model_file("./random")
    (tmp_path / "random" / LAST).touch()
    assert model_file("./random") == Path("random") / LAST


def test_the_rules_help_is_told_of_nets_alone() -> None:
    told = [about(parse_player(text, CHESS, helps=HELPS))["rules"] for text in ("chess", "random", "greedy")]
    assert told == [True, None, None]
    assert about(parse_player("chess", CHESS))["rules"] is False


def test_patience_is_with_greetings_too() -> None:
    with pytest.raises(EngineError, match=r"'uci:cat' cannot be used: no answer within 0\.3 s"):
        parse_player("uci:cat", CHESS, patience=0.3)


def test_simple_players_and_their_seeds() -> None:
    positions = [CHESS.start()] * 50
    assert isinstance(parse_player("random", CHESS), RandomPlayer)
    assert isinstance(parse_player("greedy seed=4", CHESS), GreedyPlayer)
    assert parse_player("random seed=4", CHESS).choose(positions) == RandomPlayer(4).choose(positions)
    assert parse_player("random seed=4", CHESS).name == "random seed=4"


def test_an_engine_with_arguments_limits_and_options(tmp_path: Path) -> None:
    log = tmp_path / "log"
    player = parse_player(f"uci:{sys.executable} {SCRIPT} sound '' {log} nodes=7 movetime=50 Hash=2", CHESS)
    player.choose([CHESS.start()])
    player.close()
    told = log.read_text().splitlines()
    assert "setoption name Hash value 2" in told
    assert "go nodes 7 movetime 50" in told


@pytest.mark.engine
def test_uci_elo_limits_strength_and_options_may_hold_spaces() -> None:
    player = parse_player("uci:stockfish UCI_Elo=1500 'Skill Level=3' nodes=200", CHESS)
    assert player.choose([CHESS.start()])[0] in CHESS.start().legal()
    player.close()


def test_a_model_with_options(model: str) -> None:
    player = parse_player(f"'{model}' temperature=0.5 top_p=0.9 rating=2500 seed=3", CHESS)
    assert isinstance(player, PolicyPlayer)
    assert player.choose([CHESS.start()])[0] in CHESS.start().legal()


def test_a_model_may_look_at_successors(model: str) -> None:
    """By the player that UCI's LookAtSuccessors gives too; what was asked for is what reports tell."""
    for look, kind in (("policy", PolicyPlayer), ("successors", AfterstatePlayer)):
        player = parse_player(f"'{model}' look={look}", CHESS)
        assert type(player) is kind
        assert about(player)["look"] == look
        assert player.choose([CHESS.start()])[0] in CHESS.start().legal()
    assert about(parse_player(model, CHESS))["look"] == "policy"
    assert about(parse_player("random", CHESS))["look"] is None


@pytest.mark.parametrize(
    ("outputs", "look", "wanted"),
    [
        (
            ("policy", "rights"),
            "successors",
            r"returns policy, rights, and that look needs wdl or value or ev",
        ),
        (("value",), "policy", r"the net returns value, and that look needs policy\. Leave it out"),
    ],
)
def test_a_look_of_which_a_net_is_not_capable_is_refused(
    monkeypatch: pytest.MonkeyPatch, outputs: tuple[str, ...], look: str, wanted: str
) -> None:
    monkeypatch.setattr("zeroply.players.load.load_network", lambda *_, **__: MaterialNet(*outputs))
    with pytest.raises(ZeroplyError, match=f"look={look} of 'net look={look}' will not do: .*{wanted}"):
        parse_player(f"net look={look}", CHESS)


def test_a_model_with_options_is_measured_as_one_without(model: str, xiangqi_model: str) -> None:
    """It has its own game, is told of the same player, and takes the same options of the command."""
    with player_and_about(Asked(model=f"'{model}' look=successors", mode=Mode.best), "puzzle") as looking:
        _, game, told = looking
    with player_and_about(Asked(model=model, mode=Mode.best), "puzzle") as (_, _, plain):
        assert told == {**plain, "model": f"'{model}' look=successors", "look": "successors"}
        assert game is CHESS
    with player_and_about(Asked(model=f"'{xiangqi_model}' seed=1", mode=Mode.best), "engine") as (_, game, _):
        assert game is XIANGQI
    human = Asked(model=f"'{model}' look=successors", mode=Mode.human, elo=2400)
    with player_and_about(human, "engine") as (_, _, told):
        assert (told["mode"], told["rating"], told["look"]) == ("human", 2400, "successors")
    named = Asked(model=f"'{model}' rating=2400", mode=Mode.best)
    with player_and_about(named, "engine") as (player, _, told):
        assert (told["mode"], told["rating"]) == ("human", 2400)
        assert isinstance(player, PolicyPlayer)
        assert player.drawing.temperature == 0, "the likeliest move counts"
    drawn = parse_player(f"'{model}' rating=2400", CHESS)
    assert isinstance(drawn, PolicyPlayer)
    assert drawn.drawing.temperature == usual_temperature(2400) > 0
    twice = Asked(model=f"'{model}' rating=2400", mode=Mode.human)
    with (
        pytest.raises(ZeroplyError, match="names its rating, and --mode human"),
        player_and_about(twice, "engine"),
    ):
        pass


@pytest.mark.parametrize("best", ["engine", "puzzle"])
def test_whose_moves_are_best_may_be_said(model: str, xiangqi_model: str, best: str) -> None:
    for measured in ("engine", "puzzle"):
        with player_and_about(Asked(model=f"{model} best={best}", mode=Mode.best), measured) as (_, _, told):
            assert (told["kind"], told["mode"]) == (best, "best")
    human = Asked(model=f"{model} best={best}", mode=Mode.human)
    with (
        pytest.raises(ZeroplyError, match=f"best={best} in player .* beside a rating"),
        player_and_about(human, "puzzle"),
    ):
        pass
    with pytest.raises(ZeroplyError, match=f"best={best} in player .* is not told of such moves"):
        parse_player(f"'{xiangqi_model}' best={best}", XIANGQI)


def test_a_file_may_have_spaces_in_its_name(model: str, tmp_path: Path) -> None:
    path = tmp_path / "it's a net.onnx"
    path.write_bytes(model_file(model).read_bytes())
    assert about(parse_player(str(path), CHESS))["program"] == about(parse_player(model, CHESS))["program"]


def test_a_model_of_another_game_is_refused(model: str, xiangqi_model: str) -> None:
    with pytest.raises(ZeroplyError, match=f"the model '{model}' plays chess, not xiangqi"):
        parse_player(model, XIANGQI)
    with pytest.raises(ZeroplyError, match="plays xiangqi, not chess"):
        parse_player(xiangqi_model, CHESS)


def test_players_play_what_is_asked_for_or_the_first_model_plays(model: str, xiangqi_model: str) -> None:
    assert players_game(["random", "uci:nobody"], None) is CHESS
    assert players_game(["random", f"'{xiangqi_model}' seed=1"], None) is XIANGQI
    assert players_game([model, xiangqi_model], None) is CHESS
    assert players_game([model], "xiangqi") is XIANGQI


def test_players_of_xiangqi(xiangqi_model: str) -> None:
    script = f"{sys.executable} {SCRIPT} sound depth=2 Hash=2"
    for text in ("random", "greedy", xiangqi_model, f"uci:{script}", f"ucci:{script}"):
        player = parse_player(text, XIANGQI)
        assert player.choose([XIANGQI.start()])[0] in XIANGQI.start().legal()
        player.close()


@pytest.mark.engine("fairy-stockfish")
def test_fairy_stockfish_by_either_language() -> None:
    for text in (
        "uci:fairy-stockfish depth=2 UCI_Elo=1500",
        "ucci:fairy-stockfish Skill_Level=3 movetime=20",
    ):
        player = parse_player(text, XIANGQI)
        assert player.choose([XIANGQI.start()])[0] in XIANGQI.start().legal()
        player.close()
