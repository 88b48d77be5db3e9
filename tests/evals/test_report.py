"""A report: every number with its test set and interval, one column a model, nothing from elsewhere."""

from __future__ import annotations

import re
from base64 import b64decode
from html.parser import HTMLParser
from typing import Any

from tests.evals.oracles import Answers, any_legal, knows
from zeroply.corpus.store import Corpus
from zeroply.evals.accuracy import accuracy
from zeroply.evals.charts import accuracy_panels, ladder_panels, puzzle_panels
from zeroply.evals.legality import legality
from zeroply.evals.positions import Sample
from zeroply.evals.report import Reported, markdown, page
from zeroply.training.svg import model_kind

LADDER = {
    "measure": "ladder",
    "scale": "Stockfish 15.1 UCI_Elo at 10,000 nodes",
    "n": 40,
    "elo": None,
    "elo_low": 1912.4,
    "elo_high": None,
    "score_rung_1350": 1.0,
    "score_rung_1350_low": 0.8,
    "score_rung_1350_high": 1.0,
}


def reported(name: str, **found: dict[str, Any]) -> Reported:
    return Reported(name=name, facts="chess, made of air", found=found, pictures={"a <board>": "<svg/>"})


def both(corpus: Corpus) -> list[Reported]:
    def of(net: Answers) -> dict[str, dict[str, Any]]:
        about = {"data": "games", "mode": "human", "rules": False}
        return {
            "accuracy": about | accuracy(net, Sample(corpus)),
            "legality": about | legality(net, Sample(corpus)),
        }

    return [
        reported("knower | one", **of(Answers(policy=knows(1.0)))),
        reported("guesser", **of(Answers(policy=any_legal())), ladder=LADDER),
    ]


def test_the_table_has_a_column_for_each_model_and_its_test_sets(corpus: Corpus) -> None:
    models = both(corpus)
    lines = [line.strip("| \n").split(" | ") for line in markdown(models).splitlines()]
    assert lines[0][-2:] == ["knower / one", "guesser"]
    rows = {line[0]: line for line in lines}
    n, games = models[0].found["accuracy"]["n"], models[0].found["accuracy"]["games"]
    assert f"games, {n:,} positions, {games} games" in rows["move foreseen, top-1"][1]
    assert rows["move foreseen, top-1"][2].startswith("100.0 % (")
    assert re.fullmatch(r"\d+\.\d % \(\d+\.\d – \d+\.\d\)", rows["move foreseen, top-1"][3])
    assert rows["rating on the ladder"][1:] == [f"{LADDER['scale']}, 40 games", "–", "≥ 1912"]
    assert len({line.count("|") for line in markdown(models).splitlines()}) == 1


def test_every_number_has_its_test_set_and_where_they_differ_whose_it_is() -> None:
    def of(n: int) -> dict[str, Any]:
        return {"data": "p.csv", "n": n, "solved": 0.5, "first_move": 0.6}

    def cells(*models: Reported) -> list[str]:
        return [line.split(" | ")[1] for line in markdown(models).splitlines()[3:]]

    one, same, other = (reported(name, puzzles=of(n)) for name, n in (("a", 10), ("b", 10), ("c", 20)))
    assert cells(one, same, reported("d")) == ["p.csv, 10 puzzles"] * 2
    assert cells(one, other, same) == ["a, b: p.csv, 10 puzzles; c: p.csv, 20 puzzles"] * 2


def test_captions_are_not_cut() -> None:
    """A ladder is one chart wide, and its scale has a long name."""
    html = page("t", [reported("a", ladder=LADDER), reported("b", ladder=LADDER | {"n": 2})])
    (drawn,) = [
        text
        for data in re.findall(r"base64,([^\"]+)", html)
        if "Ladder" in (text := b64decode(data).decode())
    ]
    width = int(re.findall(r'width="(\d+)"', drawn)[0])
    caption = re.findall(r'<text class="" x="20.0" y="(\d+).0" text-anchor="start">([^<]*)<', drawn)
    assert " ".join(words for _, words in caption).endswith(f"b: {LADDER['scale']}, 2 games")
    assert len({y for y, _ in caption}) == len(caption) > 1
    assert all(20 + 6 * len(words) < width for _, words in caption)
    assert int(caption[-1][0]) < min(map(int, re.findall(r"translate\(\d+ (\d+)\)", drawn))) - 30


class Sources(HTMLParser):
    """Notes all that a page would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for name, value in attrs if name in ("src", "href")]
        assert tag != "script"


def test_the_page_needs_nothing_else(corpus: Corpus) -> None:
    html = page("a <title>", both(corpus))
    sources = Sources()
    sources.feed(html)
    assert len(sources.found) == 2 + 2  # two sets of charts, two boards
    assert all(source.startswith("data:image/svg+xml;base64,") for source in sources.found)
    assert "a &lt;title&gt;" in html
    assert "knower | one: a &lt;board&gt;" in html


def test_a_model_keeps_its_colour_where_others_have_nothing_to_show(corpus: Corpus) -> None:
    found = both(corpus)[1].found
    panels = accuracy_panels([{}, found["accuracy"]])
    assert [panel.name for panel in panels][-2:] == ["top-1 by ply", "NLL by ply"]
    assert all(line.kind == model_kind(1) for panel in panels for line in panel.lines)
    (ladder,) = ladder_panels([{}, found["ladder"]])
    assert [line.kind for line in ladder.lines] == [model_kind(1)]
    assert puzzle_panels([{}, {}]) == []
