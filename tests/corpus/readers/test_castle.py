"""Seed 000's text files."""

from __future__ import annotations

import lzma
from collections.abc import Sequence
from pathlib import Path

from tests.sources import CHESS, sample_games
from zeroply.corpus.build import build
from zeroply.corpus.readers import read
from zeroply.corpus.score import Score, Skipped


def lines(moves: Sequence[int]) -> list[str]:
    """A game as the seed writes it, from the row of each position."""
    found, position = [], CHESS.start()
    for move in moves:
        row = position.row(0)
        rights = [*row["rights"][0], row["en_passant"][0] >= 0, row["turn"][0] == 0]
        board = ",".join(map(str, row["board"][0].tolist()))
        found.append(f"{move}|{board}|{''.join(str(int(right)) for right in rights)}\n")
        position = position.play(int(move))
    return found


GAMES = [list(map(int, game.moves)) for game in sample_games()[:6]]


def moves_of(found: list[Score | Skipped]) -> list[list[int]]:
    assert all(isinstance(item, Score) and item.start is None for item in found), found
    return [list(map(int, item.moves)) for item in found if isinstance(item, Score)]


def test_a_folder_of_split_files_is_read_by_number(tmp_path: Path) -> None:
    (tmp_path / "split").mkdir()
    for number, games in ((1, GAMES[:2]), (2, GAMES[2:4]), (10, GAMES[4:])):
        text = "".join(line for game in games for line in lines(game))
        (tmp_path / "split" / f"castle_dataset_split_{number}.txt").write_text(text)
    assert moves_of(list(read(tmp_path, CHESS))) == GAMES
    assert moves_of(list(read(tmp_path / "split", CHESS))) == GAMES
    assert moves_of(list(read(tmp_path / "split" / "castle_dataset_split_2.txt", CHESS))) == GAMES[2:4]


def test_an_export_is_read_from_its_own_folder(tmp_path: Path) -> None:
    folder = tmp_path / "dataset" / "split"
    folder.mkdir(parents=True)
    (folder / "castle_dataset_split_1.txt").write_text("".join(lines(GAMES[0])))
    assert moves_of(list(read(tmp_path, CHESS))) == GAMES[:1]


def test_a_broken_split_file_costs_only_itself(tmp_path: Path) -> None:
    for number, game in enumerate(GAMES[:4]):
        packed = lzma.compress("".join(lines(game)).encode())
        end = 30 if number in (1, 2) else None
        (tmp_path / f"castle_dataset_split_{number}.txt.xz").write_bytes(packed[:end])
    manifest = build(tmp_path / "out", [tmp_path], CHESS)
    assert manifest["games"] == 2
    (flaw,) = manifest["incomplete"]
    for number in (1, 2):
        assert f"{tmp_path}/castle_dataset_split_{number}.txt.xz cannot be read to its end" in flaw


def test_a_game_a_line_in_uci(tmp_path: Path) -> None:
    text = "\n".join(" ".join(CHESS.moves.names[move] for move in game) for game in GAMES)
    (tmp_path / "2_uci_moves_dataset.txt.xz").write_bytes(lzma.compress(f"{text}\n\n".encode()))
    assert moves_of(list(read(tmp_path / "2_uci_moves_dataset.txt.xz", CHESS))) == GAMES


def test_flaws_cost_their_game(tmp_path: Path) -> None:
    first, second = lines(GAMES[0]), lines(GAMES[1])
    wrong_move = [first[0], f"1967|{first[1].split('|', 1)[1]}"]
    no_move = [second[0], "4139|x|y\n", *second[1:]]
    path = tmp_path / "3_uci_moves_with_board_state_and_index.txt"
    path.write_text("".join([*first[3:], *wrong_move, *second, *no_move]))
    late, wrong, good, none = read(path, CHESS)
    assert isinstance(good, Score)
    assert list(good.moves) == GAMES[1]
    assert isinstance(late, Skipped)
    assert late.reason == "it does not begin at the first position"
    assert isinstance(wrong, Skipped)
    assert wrong.reason.startswith("ply 2: ")
    assert isinstance(none, Skipped)
    assert "'4139|x|y' is no move_index|board|rights" in none.reason
    assert none.number == 4
