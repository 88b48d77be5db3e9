"""--where: a condition on one game alone, refused before anything is read where it is something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.corpus.commands import bytes_of
from tests.sources import CHESS, SAMPLE
from zeroply.corpus.build import build
from zeroply.corpus.condition import check_condition
from zeroply.errors import ZeroplyError


@pytest.mark.slow
@pytest.mark.parametrize(
    "where",
    [
        "plies >= 10",
        "white_elo > 2000 AND games.black_elo > 2000 OR Event LIKE '%Open%'",
        "Rating::INT > 2800 -- a comment",
        "TRY_CAST(Random AS INT) > 5",  # a tag may be called as a function
        "\"Time Class\" = 'rapid' AND Age IS NULL",
        "list_contains([1, 2], plies) AND split_part(Site, '/', 3) = 'x'",
        "list_sum(list_transform([plies, 1], lambda x: x + 1)) > 3",
        "length(White) BETWEEN 3 AND 5",
        "result = 1 AND kind = 'human' AND year > 1990 AND base_seconds >= 600 AND increment = 0",
    ],
)
def test_conditions_on_a_game(where: str) -> None:
    check_condition(where)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("where", "reason"),
    [
        ("plies >", 'syntax error at or near ")". Write a condition such as plies >= 10'),
        ("", "it is empty"),
        ("plies > 1; DROP TABLE games", "syntax error"),
        ("true) LIMIT (3", "more than a condition"),
        ("true) UNION SELECT 1 WHERE (true", "more than a condition"),
        ("true) GROUP BY (plies", "more than a condition"),
        ("game < 10", "'game' is known only once the corpus is there"),
        ("games.Game < 10", "'Game' is known only"),
        ("split = 'train'", "'split' is known only"),
        ("plies = (SELECT max(plies) FROM games)", "no SELECT of its own"),
        ("EXISTS (SELECT 1)", "no SELECT of its own"),
        ("plies IN (SELECT 1)", "no SELECT of its own"),
        ("max(plies) > 3", "cannot contain aggregates"),
        ("geomean(plies) > 3", "cannot contain aggregates"),
        ("row_number() OVER () < 3", "cannot contain window functions"),
        ("random() < 0.1", "'random' is not the same at every build"),
        ("RANDOM() < 0.1", "'random' is not the same"),
        ("list_transform([plies], lambda x: random())[1] < 0.1", "'random' is not the same"),
        ("current_date > DATE '2020-01-01'", "'current_date' is not the same"),
        ("now() > TIMESTAMP '2020-01-01'", "'now' is not the same"),
        ("ago(INTERVAL 1 DAY) > TIMESTAMP '2020-01-01'", "'ago' is not the same"),
        ("age(TIMESTAMP '2020-01-01') > INTERVAL 1 DAY", "'age' is not the same"),
        ("Rating > 2800", "Tags are text: write Rating::INT"),
        (
            "white_ello > 2800",
            "these have numbers: white_elo, black_elo, average_elo, result, year, plies, base",
        ),
        ("WhiteElo > 2800", "ratings are the columns white_elo"),
        ("Rating BETWEEN 1 AND 2", "Tags are text: write Rating::INT"),
        ("Rating + 1 > plies", "Tags are text: write Rating::INT"),
        ("nothing_of_the_kind(plies)", "does not exist"),
    ],
)
def test_what_is_no_condition_on_a_game_is_refused_before_anything_is_read(where: str, reason: str) -> None:
    with pytest.raises(ZeroplyError) as caught:
        check_condition(where)
    line = str(caught.value)
    assert line.startswith(f"--where {where}: ")
    assert reason in line
    assert "\n" not in line
    assert "!." not in line
    assert ".." not in line
    assert "Columns:" not in line


@pytest.mark.slow
def test_the_same_games_are_kept_however_the_file_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = "plies % 3 = 0 AND (white_elo > 1000 OR white_elo IS NULL)"
    build(tmp_path / "whole", [SAMPLE], CHESS, where=where)
    monkeypatch.setattr("zeroply.corpus.readers.files.SIZE", 1000)
    monkeypatch.setattr("zeroply.corpus.readers.pieces.SIZE", 4000)
    build(tmp_path / "cut", [SAMPLE], CHESS, where=where)
    whole, cut = bytes_of(tmp_path / "whole"), bytes_of(tmp_path / "cut")
    del whole["tags.parquet"], cut["tags.parquet"]  # groups of rows follow the shards
    assert whole == cut


def test_a_tag_that_no_game_has_keeps_what_was_read(tmp_path: Path) -> None:
    with pytest.raises(ZeroplyError) as caught:
        build(tmp_path / "out", [SAMPLE], CHESS, where="Opening = 'Sicilian'")
    line = str(caught.value)
    assert "no game has such a tag. Columns: white_elo, black_elo" in line
    kept = f". What was read is kept in {tmp_path / '.out.building'}: the same command with another --where "
    assert kept in line
    assert (tmp_path / ".out.building").is_dir()


@pytest.mark.parametrize("name", ["WhiteElo", "BlackElo", "RedElo"])
def test_ratings_have_columns_of_their_own(tmp_path: Path, name: str) -> None:
    with pytest.raises(ZeroplyError, match="ratings are the columns white_elo"):
        build(tmp_path / "out", [SAMPLE], CHESS, where=f"{name}::INT > 2000")
