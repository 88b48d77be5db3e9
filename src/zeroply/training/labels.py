"""Whether corpora have what a recipe learns from, asked before a run begins."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from zeroply.corpus.score import UNKNOWN_RESULT
from zeroply.corpus.store import Corpus
from zeroply.errors import RecipeError


def has_results(corpus: Corpus) -> bool:
    return bool((corpus.results[:] != UNKNOWN_RESULT).any())


SCARCE: Mapping[str, tuple[str, Callable[[Corpus], bool]]] = {
    "evaluation": ("evaluations", lambda corpus: corpus.has_evaluations),
    "lines": ("positions with several lines of an engine", lambda corpus: corpus.has_lines),
    "outcome": ("results", has_results),
    "plies_left": ("results, for plies left", has_results),
}
"""Labels that a corpus may lack altogether: what they are called, and whether it has any."""


def check_labels(recipe: str, reads: Iterable[str], corpora: Sequence[Corpus]) -> None:
    """Of several corpora some may lack a label: their rows then do not count where it is asked for. A result
    may be lacking in all of them if there are moves to learn beside it."""
    wanted = set(reads)
    for label in SCARCE.keys() & wanted - ({"outcome"} if "move" in wanted else set()):
        name, has = SCARCE[label]
        if not any(has(corpus) for corpus in corpora):
            lacking = ", ".join(str(corpus.path) for corpus in corpora)
            raise RecipeError(
                f"'{recipe}' needs {name}; {'corpora' if len(corpora) > 1 else 'corpus'} {lacking} "
                f"{'have' if len(corpora) > 1 else 'has'} none. "
                "Build one from sources that have some: docs/corpus.md lists them"
            )
