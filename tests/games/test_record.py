"""Records of games: what other programs read back."""

from __future__ import annotations

import io

import chess.pgn
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroply.games import Game, Position, game_named
from zeroply.games.record import WIDTH, written

CHESS, XIANGQI = game_named("chess"), game_named("xiangqi")
TAGS = {"Event": "test", "Result": "*"}


def texts(game: Game, names: list[str], start: Position) -> list[str]:
    found, now = [], start
    for name in names:
        move = game.moves.number(name)
        found.append(now.recorded(move))
        now = now.play(move)
    return found


def test_a_xiangqi_record_says_what_it_is() -> None:
    start = XIANGQI.start()
    text = written(XIANGQI, TAGS, start, texts(XIANGQI, ["h2e2", "h9g7", "h0g2"], start), "you resigned")
    assert text == (
        '[Game "Chinese Chess"]\n[Format "ICCS"]\n[Event "test"]\n[Result "*"]\n\n'
        "1. H2-E2 H9-G7 2. H0-G2 {you resigned} *\n\n"
    )


def test_a_game_from_a_position_of_black_begins_with_its_number() -> None:
    fen = "3k5/9/9/9/9/9/9/9/9/4K3R b - - 0 7"
    start = XIANGQI.start(fen)
    text = written(XIANGQI, TAGS, start, texts(XIANGQI, ["d9d8", "i0i5"], start))
    assert f'[SetUp "1"]\n[FEN "{fen}"]\n\n7... D9-D8 8. I0-I5 *\n\n' in text


@pytest.mark.parametrize("moves", range(80, 100))
def test_words_with_a_hyphen_stay_whole(moves: int) -> None:
    """Wherever the line ends."""
    played = (["H2-E2", "H7-E7", "E2-H2", "E7-H7"] * 25)[:moves]
    text = written(XIANGQI, TAGS, XIANGQI.start(), played, "a well-known, much-disputed end-game")
    words = text.partition("\n\n")[2].split()
    assert [word for word in words if "-" in word] == [*played, "well-known,", "much-disputed", "end-game}"]


@pytest.mark.slow
@given(st.data())
def test_python_chess_reads_back_any_game(data: st.DataObject) -> None:
    start = now = CHESS.start(data.draw(st.sampled_from([None, "r3k2r/8/8/8/8/8/6p1/R3K2R b KQkq - 3 20"])))
    moves, names = [], []
    for _ in range(data.draw(st.integers(0, 40))):
        if not len(now.legal()):
            break
        move = int(data.draw(st.sampled_from(now.legal().tolist())))
        moves.append(now.recorded(move))
        names.append(CHESS.moves.names[move])
        now = now.play(move)
    reason = data.draw(st.text(max_size=60))
    text = written(CHESS, {"Event": reason, "Result": "*"}, start, moves, reason)
    assert all(len(line) <= WIDTH for line in text.partition("\n\n")[2].splitlines() if " " in line)
    found = chess.pgn.read_game(io.StringIO(text))
    assert found is not None
    assert found.errors == []
    assert [move.uci() for move in found.mainline_moves()] == names
    assert found.board().fen() == start.fen()
