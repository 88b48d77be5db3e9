"""UCI and UCCI: texts there and back, spelt out where one rank matters; options as engines declare them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroply.errors import IllegalMoveError, ZeroplyError
from zeroply.games import Game, game_named
from zeroply.players.dialects import UCCI, UCI, Dialect
from zeroply.players.options import Option, parse_option

CHESS, XIANGQI = game_named("chess"), game_named("xiangqi")
BOTH = pytest.mark.parametrize("dialect", [UCI, UCCI], ids=lambda dialect: dialect.name)


@BOTH
@pytest.mark.parametrize("game", [CHESS, XIANGQI], ids=lambda game: game.name)
def test_every_move_is_written_and_read_back(dialect: Dialect, game: Game) -> None:
    for move in range(len(game.moves)):
        assert dialect.number(game, dialect.text(game, move)) == move


def test_ranks_count_from_1_in_uci_and_from_0_in_ucci() -> None:
    cannon, general = XIANGQI.moves.number("h2e2"), XIANGQI.moves.number("e9e8")
    assert (UCI.text(XIANGQI, cannon), UCI.text(XIANGQI, general)) == ("h3e3", "e10e9")
    assert (UCCI.text(XIANGQI, cannon), UCCI.text(XIANGQI, general)) == ("h2e2", "e9e8")
    assert UCI.number(XIANGQI, "h3e3") == UCCI.number(XIANGQI, "h2e2") == cannon
    with pytest.raises(IllegalMoveError):
        UCI.number(XIANGQI, "a0a1")
    with pytest.raises(IllegalMoveError):
        UCCI.number(XIANGQI, "a9a10")


def test_a_new_game_is_told_as_the_engine_understands_it() -> None:
    assert UCI.new_game({"hash"}) == "ucinewgame"
    assert UCCI.new_game({"hash"}) == "uccinewgame"
    assert UCCI.new_game({"hash", "newgame"}) == "setoption newgame"


names = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,8}", fullmatch=True).filter(
    lambda word: word not in ("type", "default", "min", "max", "var", "name", "value")
)
texts = st.from_regex(r"[a-z/.]{1,9}( [a-z/.]{1,9})?", fullmatch=True).filter(
    lambda text: not {"min", "max", "var", "type", "default"} & set(text.split())
)
spins = st.tuples(st.integers(-999, 0), st.integers(0, 999)).flatmap(
    lambda limits: st.builds(
        Option,
        kind=st.just("spin"),
        default=st.integers(*limits),
        low=st.just(limits[0]),
        high=st.just(limits[1]),
    )
)
combos = st.lists(names, min_size=1, unique_by=str.lower).map(
    lambda choices: Option(kind="combo", default=choices[0], choices=tuple(choices))
)
options = st.one_of(
    spins,
    combos,
    st.builds(Option, kind=st.just("check"), default=st.booleans()),
    st.builds(Option, kind=st.just("string"), default=texts),
    st.just(Option(kind="button")),
)


@BOTH
@given(name=names, option=options)
def test_an_option_is_declared_and_read_back(dialect: Dialect, name: str, option: Option) -> None:
    words = dialect.declare(name, option.declared()).split()
    assert words[0] == "option"
    assert parse_option(words[1:]) == (name, option)


@BOTH
@given(name=names, value=texts)
def test_a_setting_is_written_and_read_back(dialect: Dialect, name: str, value: str) -> None:
    words = dialect.set_option(name, value).split()
    assert words[0] == "setoption"
    assert dialect.read_setting(words[1:]) == (name, value)
    assert dialect.read_setting(dialect.set_option(name, "").split()[1:]) == (name, "")


def test_names_of_several_words_and_odd_declarations() -> None:
    def parsed(text: str) -> tuple[str, Option]:
        return parse_option(text.split())

    name, option = parsed("name Skill Level type spin default 20 min -20 max 20")
    assert (name, option.low, option.high, option.default) == ("Skill Level", -20, 20, 20)
    assert parsed("name Book File type string default")[1].default == ""
    assert parsed("") == ("", Option(kind="string"))
    assert parsed("X type spin default many min few")[1] == Option(kind="spin")


@pytest.mark.parametrize(
    ("option", "text"),
    [
        (Option(kind="spin", low=1, high=8), "9"),
        (Option(kind="spin"), "1e3"),
        (Option(kind="spin"), "9" * 30),
        (Option(kind="check"), "yes"),
        (Option(kind="combo", choices=("a", "b")), "c"),
        (Option(kind="string"), "one\nquit"),
        (Option(kind="string"), ""),
        (Option(kind="button"), "on"),
        (Option(kind="unheard of"), "x"),
    ],
)
def test_what_an_option_does_not_take(option: Option, text: str) -> None:
    with pytest.raises(ZeroplyError, match="will not do: it is"):
        option.read(text)
