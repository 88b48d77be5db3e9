"""Played games as PGN, read back by others."""

from __future__ import annotations

import io
from pathlib import Path

import chess.pgn
import pytest

from zeroply.corpus.readers import pgn
from zeroply.corpus.score import Kind, Score
from zeroply.evals.match import play_match
from zeroply.evals.openings import random_openings
from zeroply.evals.played import PlayedGame, write_pgn
from zeroply.games import Game, game_named
from zeroply.players.simple import GreedyPlayer, RandomPlayer

CHESS, XIANGQI = game_named("chess"), game_named("xiangqi")


def test_a_match_reads_back_as_it_was_played(tmp_path: Path) -> None:
    openings = [CHESS.start().fen(), *random_openings(CHESS, 2)]
    result = play_match(GreedyPlayer(1), RandomPlayer(2), CHESS, 6, openings)
    path = tmp_path / "match.pgn"
    path.write_text("".join(write_pgn(CHESS, played) for played in result.played), encoding="utf-8")
    found = [score for score in pgn.READER.read(path, CHESS) if isinstance(score, Score)]
    assert len(found) == 6
    for score, played in zip(found, result.played, strict=True):
        assert tuple(score.moves) == played.moves
        assert score.result == played.result
        assert (score.start or CHESS.start().fen()) == played.start
        assert score.tags["White"] == played.players[0]
    assert [score.tags["Round"] for score in found] == ["1.1", "1.2", "2.1", "2.2", "3.1", "3.2"]


def test_black_first_and_awkward_names() -> None:
    start = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 7"
    played = PlayedGame(
        number=3,
        start=start,
        players=('the "best" \\ one', "uci:x\ny"),
        moves=(CHESS.moves.number("e7e5"), CHESS.moves.number("g1f3")),
        result=0.0,
        reason="engine 'x' said {nonsense}\nand died",
        failed=0,
    )
    text = write_pgn(CHESS, played)
    assert "7... e5 8. Nf3 {engine 'x' said (nonsense) and died} 0-1" in text
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert not game.errors
    assert (
        '[White "the \\"best\\" \\\\ one"]' in text
    )  # as the standard has it; python-chess leaves the backslashes
    assert game.headers["Black"] == "uci:x y"
    assert game.headers["FEN"] == start
    assert game.headers["Termination"] == "rules infraction"
    assert [move.uci() for move in game.mainline_moves()] == ["e7e5", "g1f3"]


def test_a_game_of_xiangqi_is_recorded_in_iccs() -> None:
    played = PlayedGame(
        number=0,
        start=XIANGQI.start().fen(),
        players=("one", "two"),
        moves=tuple(XIANGQI.moves.number(name) for name in ("h2e2", "h9g7", "h0g2")),
        result=0.5,
        reason="no result after 3 plies",
    )
    lines = write_pgn(XIANGQI, played).splitlines()
    assert lines[:2] == ['[Game "Chinese Chess"]', '[Format "ICCS"]']
    assert {'[Red "one"]', '[Black "two"]', '[Result "1/2-1/2"]'} <= set(lines)
    assert {'[RedType "program"]', '[BlackType "program"]'} <= set(lines)
    assert not any(line.startswith(("[White", "[FEN")) for line in lines)
    assert lines[-2] == "1. H2-E2 H9-G7 2. H0-G2 {no result after 3 plies} 1/2-1/2"


@pytest.mark.parametrize("game", [CHESS, XIANGQI], ids=lambda game: str(game.name))
def test_a_match_is_read_as_games_of_engines(tmp_path: Path, game: Game) -> None:
    result = play_match(GreedyPlayer(1), RandomPlayer(2), game, 2, random_openings(game, 1))
    path = tmp_path / "match.pgn"
    path.write_text("".join(write_pgn(game, played) for played in result.played), encoding="utf-8")
    found = [score for score in pgn.READER.read(path, game) if isinstance(score, Score)]
    assert [score.kind for score in found] == [Kind.engine, Kind.engine]


def test_a_match_of_xiangqi_replays_from_its_records() -> None:
    result = play_match(GreedyPlayer(1), RandomPlayer(2), XIANGQI, 2, random_openings(XIANGQI, 1))
    for played in result.played:
        text = write_pgn(XIANGQI, played)
        words = text.partition("\n\n")[2].split("{")[0].split()
        position = XIANGQI.start(played.start)
        assert f'[FEN "{position.fen()}"]' in text
        for word in words:
            if not word.endswith("."):
                position = position.play(XIANGQI.moves.number(word.replace("-", "").lower()))
        assert position.result() == played.result
