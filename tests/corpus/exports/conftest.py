"""A corpus to write for other programs."""

from __future__ import annotations

import pytest

from tests.sources import CHESS, SAMPLE
from zeroply.corpus.build import build
from zeroply.corpus.store import Corpus

OWN = r"""[White "Dürer, \"Albrecht\""]
[WhiteElo "2500"]
[BlackElo "2400"]
[Date "2020.01.02"]
[Result "1-0"]

1. e4 { [%eval 0.31] [%clk 0:01:00] } d5 { [%eval 0.5] } 2. e5 { [%eval -0.2] [%clk 0:00:09.5] } f5
{ [%eval #3] } 3. exf6 { [%eval #-2] [%clk 1:02:03] } 1-0

[White "Black begins"]
[FEN "4k3/P7/8/8/8/8/8/R3K3 b Q - 3 40"]
[SetUp "1"]
[Result "*"]

40... Kd7 41. O-O-O+ Ke7 42. a8=N *

[White "drawn"]
[Black "a \ name [with] {signs}"]
[Result "1/2-1/2"]

1. Nf3 Nf6 2. Ng5 1/2-1/2
"""


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """The sample and three games with all that a corpus can hold."""
    folder = tmp_path_factory.mktemp("exports")
    (folder / "own.pgn").write_text(OWN, encoding="utf-8")
    build(folder / "corpus", [SAMPLE, folder / "own.pgn"], CHESS)
    return Corpus.open(folder / "corpus")
