"""Of which files corpora were made, and what they kept from training: so a report can tell whether a net may
have learnt from the games that it is measured by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from zeroply.corpus.score import Split


def origin(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """What a run records of a corpus: its files, the shares that were held back, and, if its positions were
    chosen from another corpus, the same of that one."""
    of = manifest.get("made", {}).get("of")
    return {name: manifest[name] for name in ("shares", "sources")} | ({} if of is None else {"of": of})


def origin_of_chosen(manifest: Mapping[str, Any], split: Split | None) -> dict[str, Any]:
    """The origin of positions that were chosen from a split of a corpus, or from all of it: only those of its
    training part are none that others may be measured by."""
    return origin(manifest) | ({} if split is Split.train else {"shares": {}})


def held_back(training: Mapping[str, Any], sources: Sequence[Mapping[str, Any]]) -> Iterator[float]:
    """What share of the hashes of games each corpus of a training kept from it that was made of one of these
    files, or of one that is not known; always the highest hashes. So a test game of one is no training game
    of another that held back as much."""
    files = {source["sha256"] for source in sources} | {None}
    for one in training.get("corpora", [training.get("corpus", {})]):  # one, before there were mixtures
        yield from _held_back_by(one, files)
    if "before" in training:
        yield from held_back(training["before"], sources)


def _held_back_by(corpus: Mapping[str, Any], files: set[str | None]) -> Iterator[float]:
    if not files.isdisjoint(source.get("sha256") for source in corpus.get("sources", [{}])):
        yield sum(corpus.get("shares", {}).values())
    if "of" in corpus:
        yield from _held_back_by(corpus["of"], files)
