"""PGN text cut into games, wherever the blocks end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sources import SAMPLE
from zeroply.corpus.readers.pgn.split import batches, last_game, split
from zeroply.corpus.readers.pgn.texts import LONGEST, GameText

TEXT = """
% an escaped line
[Event "a {b"]
[White "O'\\"Brien [x]"]
[Broken "x]

1. e4 { a comment

[White "within"]
[%clk 0:01:00] } e5 ; to the end {
2. Nf3 *
[Event "no blank line before"]
1. d4 (1. c4 {:-)} c5) d5

2. c4 1-0

[Event "no moves"]

[Event "B"]

[Site "after a blank line"]

1. c4 1/2-1/2

1. Nf3 d5 0-1


1. b3 *
"""


def tags(game: GameText) -> dict[str, str]:
    return dict(zip(*game.header, strict=True))


def test_games_begin_at_tags_or_after_a_result() -> None:
    games = list(split(TEXT))
    assert [game.movetext for game in games] == [
        '1. e4 { a comment [White "within"] [%clk 0:01:00] } e5 ; to the end {\n2. Nf3 *',
        "1. d4 (1. c4 {:-)} c5) d5  2. c4 1-0",
        "",
        "1. c4 1/2-1/2",
        "1. Nf3 d5 0-1",
        "1. b3 *",
    ]
    assert tags(games[0]) == {"Event": "a {b", "White": "O'\"Brien [x]"}
    assert tags(games[3]) == {"Event": "B", "Site": "after a blank line"}
    assert tags(games[4]) == {}
    assert [game.flaw for game in games] == [None, None, "it has no moves", None, None, None]


@pytest.mark.parametrize("mark", ["[Event ", "[Game ", "[Occasion "])
def test_pieces_may_end_at_the_last_game_of_any_text(mark: str) -> None:
    for whole in (TEXT, SAMPLE.read_text(encoding="utf-8")[:20_000]):
        text, cuts = whole.replace("[Event ", mark), set[int]()
        lines = text.splitlines(keepends=True)
        for count in range(len(lines)):
            cuts.add(last_game("".join(lines[:count])))
        assert len(cuts) > 3
        games = list(split(text))
        for cut in cuts:
            assert [*split(text[:cut]), *split(text[cut:])] == games


def one(movetext: str) -> GameText:
    (game,) = split(f'[Event "x"]\n\n{movetext}\n')
    return game


@pytest.mark.parametrize(
    ("movetext", "flaw"),
    [
        ("1. e4 {never closed e5 *", "a comment is not closed"),
        ("1. e4 (1. d4 e5 2. Nf3 *", "a variation is not closed"),
        ("1. e4 (1. d4 {)} e5 2. Nf3 *", "a variation is not closed"),
        ("1. e4 1-0 e5 *", "there are moves after the result"),
        ("1. e4 * 0-0", "there are moves after the result"),
        ("1. e4 {1-0 and :-( } e5 (1... c5 *) 2. Nf3 1-0 {resigns}", None),
        ("1. e4 ) e5", None),
    ],
)
def test_what_a_parser_would_drop_silently_is_a_flaw(movetext: str, flaw: str | None) -> None:
    assert one(movetext).flaw == flaw


def test_an_unclosed_comment_costs_one_game() -> None:
    first, second = split('[Event "x"]\n\n1. e4 {never closed\n\n[Event "y"]\n\n1. d4 *\n')
    assert first.flaw == "a comment is not closed"
    assert (tags(second), second.movetext) == ({"Event": "y"}, "1. d4 *")


def test_adjacent_comments_are_one() -> None:
    assert one("1. e4 {a}\n{b} { c } *").movetext == "1. e4 {a b  c } *"


def test_what_is_too_long_is_no_game() -> None:
    (game,) = split(("x" * 2**19 + "\n") * 20)
    assert game.flaw == f"no end of the game in {LONGEST:,} characters"


def one_by_one(text: str) -> list[dict[str, str]]:
    return [tags(game) | {"": game.movetext, "flaw": str(game.flaw)} for game in split(text)]


def by_columns(text: str) -> list[dict[str, str]]:
    return [
        {name: value for name, column in games.tags.items() if (value := column[at]) is not None}
        | {"": movetext, "flaw": str(games.flaws.get(at))}
        for games in batches(text)
        for at, movetext in enumerate(games.movetexts)
    ]


PARTS_OF_GAMES = (
    "\n\n",
    "\n",
    '[Event "a"]',
    '[Event "',
    '"]',
    '[Site "b"]',
    "[Game ",
    '"',
    " ",
    "]",
    "e4",
    "*",
    "1-0",
)
GAME = '[Event "a"]\n[White "b"]\n\n1. e4 e5\n2. Nf3 *'


@pytest.mark.parametrize(
    "odd",
    [
        GAME,
        GAME.replace("*", "1-0 *"),
        GAME.replace("*", ""),
        GAME.replace("1. e4 e5\n2. Nf3 ", ""),
        GAME.replace("e5", "{a} e5"),
        GAME.replace("e5", "\0 e5"),
        GAME.replace("e5", "\n\n e5"),
        GAME.replace("\n\n", "\n\n\n") + "\n\n",
        GAME.replace("White", "Event"),
        GAME.replace("White", "White Name"),
        GAME.replace('"b"', '"b'),
        GAME.replace('"b"', 'b"'),
        GAME.replace('"b"', r'"\\"b"'),
        GAME.replace('"b"', '"b" c"d"'),
        GAME.replace('"b"', '"b\nc"'),
        GAME.replace("[White", "[Site"),
        GAME.replace("[Event", "[Game"),
        GAME.replace('"a"]', '"a"]\n[Event "c"]'),
        "",
        "[Event ",
        '[Event "a"]',
        "\n",
    ],
)
def test_games_come_out_the_same_together_and_one_by_one(odd: str) -> None:
    text = "\n\n".join([GAME, odd, GAME.replace("a", "c"), odd, GAME])
    assert by_columns(text) == one_by_one(text)
    assert by_columns(odd) == one_by_one(odd)


@given(st.lists(st.sampled_from(PARTS_OF_GAMES), max_size=40).map("".join))
def test_any_text_comes_out_the_same_together_and_one_by_one(text: str) -> None:
    assert by_columns(text) == one_by_one(text)
