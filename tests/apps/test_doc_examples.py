"""What docs/page.md and docs/uci.md say that the program answers, it answers, with the bundled nets."""

from __future__ import annotations

import io
import json
import re

import pytest
from fastapi.testclient import TestClient
from pydantic import BaseModel

from tests.sources import ROOT
from zeroply.apps import ucci, uci
from zeroply.apps.web import create_app
from zeroply.apps.web.messages import AnalysisPart, State, parse_request
from zeroply.players.base import Network

PAGE, ENGINES = ((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("page.md", "uci.md"))
NUMBER = re.compile(r"(-?\d+(?:\.\d+)?)%?")
LEEWAY = 5
"""Per cent or centipawns by which processors round an int8 net apart; another net says something else."""


def blocks(page: str, language: str, begin: str) -> list[str]:
    """Those of a language whose text begins so."""
    found = re.findall(rf"^```{language}\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    return [block for block in found if block.startswith(begin)]


REQUESTS = blocks(PAGE, "sh", "curl")
MESSAGES = [block for block in blocks(PAGE, "json", "{") if "\n{" not in block]
ASKED, (STATE, ANALYSIS) = blocks(PAGE, "json", '{"type": "new"'), MESSAGES
CONVERSATIONS = blocks(ENGINES, "", "$ zeroply uc")


@pytest.mark.parametrize("block", REQUESTS, ids=[str(number) for number in range(len(REQUESTS))])
def test_the_api_answers_what_the_page_says(network: Network, block: str) -> None:
    command, _, answer = block.partition("\n# ")
    (path,) = re.findall(r"http://127\.0\.0\.1:8000(\S+)", command)
    sent = re.search(r"-d '(.*)'", command)
    client = TestClient(create_app({"chess": network}))
    got = client.get(path) if sent is None else client.post(path, json=json.loads(sent[1]))
    parts = "".join(re.split(r"\n#\s+", answer.strip())).split("…")
    assert re.fullmatch(".+?".join(map(re.escape, parts)), got.text), got.text[:400]


def test_there_are_examples() -> None:
    assert (len(REQUESTS), len(ASKED), len(CONVERSATIONS)) == (3, 1, 2)


def test_the_messages_of_a_game_are_those_of_the_page() -> None:
    kinds = [parse_request(line).type for line in ASKED[0].splitlines()]
    assert kinds == ["new", "move", "undo", "resign", "analyse"]
    messages: list[tuple[type[BaseModel], str]] = [(State, STATE), (AnalysisPart, ANALYSIS)]
    for model, text in messages:
        shown = json.loads(text)
        assert model.model_validate(shown).model_dump(mode="json") == shown


@pytest.mark.parametrize("block", CONVERSATIONS, ids=["uci", "ucci"])
def test_engines_say_what_the_page_says(block: str) -> None:
    first, *lines = block.splitlines()
    commands = [line for line in lines if line.startswith(("position", "go"))]
    wanted = [line for line in lines if line not in commands]
    out = io.StringIO()
    {"$ zeroply uci": uci, "$ zeroply ucci": ucci}[first].run(
        {"$ zeroply uci": "chess", "$ zeroply ucci": "xiangqi"}[first], commands, out
    )
    said = out.getvalue().splitlines()
    assert len(said) == len(wanted)
    for line, want in zip(said, wanted, strict=True):
        words, shown = line.split(), want.split()
        assert len(words) == len(shown)
        assert all(map(alike, words, shown)), f"{line!r} is not {want!r}"


def alike(word: str, shown: str) -> bool:
    """A number within what processors round apart; what the page leaves open is anything."""
    found, wanted = NUMBER.fullmatch(word), NUMBER.fullmatch(shown)
    if found and wanted:
        return abs(float(found[1]) - float(wanted[1])) <= LEEWAY
    return word == shown or "…" in shown
