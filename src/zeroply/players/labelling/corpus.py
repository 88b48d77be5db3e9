"""Positions of a corpus or a list, labelled by an engine, as a new corpus."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from zeroply.artefacts import check_folder, check_place, digest_of, new_file, read_json, write_json
from zeroply.corpus.build import build
from zeroply.corpus.hashes import SHARES
from zeroply.corpus.ledger import keep_plan
from zeroply.corpus.origin import origin_of_chosen
from zeroply.corpus.score import Split
from zeroply.corpus.store import Corpus
from zeroply.errors import ReadError, ZeroplyError
from zeroply.games import Game, game_named
from zeroply.players.labelling.asked import Asked, engine_for
from zeroply.players.labelling.places import PAST, Rule
from zeroply.players.labelling.positions import differing, write_chosen, write_list
from zeroply.players.labelling.run import FLAWS, Labels, label_file
from zeroply.players.load import load_network


@dataclass(frozen=True, kw_only=True)
class Labelled:
    """What came of it."""

    labels: Labels
    skipped: int
    """Lines of a list that are no positions."""
    manifest: dict[str, Any]


def label_into(
    out: Path,
    source: Path,
    asked: Asked,
    *,
    rule: Rule,
    differs: str | None = None,
    table: Path | None = None,
    shares: Mapping[Split, float] = SHARES,
    workers: int = 1,
    until: float = math.inf,
    progress: Callable[[int, float], None] = lambda positions, share: None,
) -> Labelled:
    """A corpus with the labels of some positions of `source`, a corpus or a file of FENs; with `differs`, a
    model, those in which it would have played another move. `table` gets them as CSV too. What was asked by
    `until`, by `time.monotonic`, is what there will be.

    Killed, the same call goes on: until the corpus is there, all lies in a folder beside it.
    """
    if out.exists():
        raise ReadError(f"{out} exists. Choose another folder or remove it first")
    check_folder(out)
    if table is not None:
        check_place(table, out)
    if not source.exists():
        raise ReadError(f"{source} does not exist. Give a corpus, or a file with one FEN a line")
    staging = out.parent / f".{out.name}.labelling"
    corpus = Corpus.open(source) if source.is_dir() else None
    if corpus is None and differs is not None:
        raise ZeroplyError(f"{source} is a list: nobody played there. --differs is for a corpus")
    for option, given in (("--stray", rule.stray), ("--repeated", rule.repeated)):
        if corpus is None and given:
            raise ZeroplyError(
                f"{source} is a list: its positions are taken as they are. {option} is for a corpus"
            )
    asked = asked if corpus is None else replace(asked, game=corpus.game.name)
    game = game_named(asked.game)
    engine_for(asked)  # an engine that cannot be used is refused before anything is written
    plan = {
        "source": digest_of(source if corpus is None else source / "manifest.json"),
        "game": game.name,
        "split": None if rule.split is None else rule.split.name,
        "limit": rule.limit,
        "seed": rule.seed,
        "stray": rule.stray,
        "repeated": rule.repeated,
        "past": PAST,
        "differs": differs,
    }
    staging.mkdir(parents=True, exist_ok=True)
    keep_plan(staging / "choice.json", plan, "zeroply data label")
    try:
        chosen = _chosen(staging, source, corpus, game, rule, differs)
    except ZeroplyError:
        shutil.rmtree(staging)  # nothing there that the next try could use
        raise
    labels = label_file(
        staging / "positions.txt", staging, asked, workers=workers, until=until, progress=progress
    )
    if labels.left and not (labels.labelled or labels.failed):
        raise ZeroplyError(
            "the time was up before anything was labelled. Give the same command a longer --max-time"
        )
    if not labels.labelled:
        first = next(iter((staging / FLAWS).read_text(encoding="utf-8").splitlines()), "all are over")
        shutil.rmtree(staging)
        raise ReadError(f"no position of {source} could be labelled: {first}")
    made = {
        "by": labels.identity,
        **asked.plan(),
        "positions": {**plan, **chosen, "source": source.name},
        "over": labels.over,
        "failed": labels.failed,
        "left": labels.left,
        **({} if corpus is None else {"of": origin_of_chosen(corpus.manifest, rule.split)}),
    }
    building = staging / "corpus"
    shutil.rmtree(building, ignore_errors=True)  # of a run that was killed when nearly all was done
    manifest = build(building, [labels.table], game, made=made, shares=shares)
    if labels.failed:
        shutil.copyfile(staging / FLAWS, building / FLAWS)
    if table is not None:
        with new_file(table) as copy:
            shutil.copyfile(labels.table, copy)
    building.rename(out)
    shutil.rmtree(staging)
    return Labelled(labels=labels, skipped=chosen.get("skipped", 0), manifest=manifest)


def choose(corpus: Corpus, rule: Rule, out: Path, differs: str | None = None) -> dict[str, int]:
    """Write positions of a corpus to a file, one FEN a line; with `differs`, a model, those in which it would
    have played another move."""
    if differs is None:
        return write_chosen(corpus, rule, out)
    network = load_network(differs)
    return write_chosen(corpus, rule, out, keep=differing(network, corpus), history=network.history)


def _chosen(
    staging: Path, source: Path, corpus: Corpus | None, game: Game, rule: Rule, differs: str | None
) -> dict[str, int]:
    """Write the list of positions, unless it is there; how many they are."""
    positions, counts = staging / "positions.txt", staging / "chosen.json"
    if not counts.exists():
        if corpus is None:
            found = write_list(source, game, positions, rule.limit)
        else:
            found = choose(corpus, rule, positions, differs)
        write_json(counts, found)
    return read_json(counts, "begun work")
