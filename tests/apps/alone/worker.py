"""The worker that plays in the page without a server, asked without the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page

SET_UP = """() => {
  const worker = new Worker('worker.js', { type: 'module' });
  const waiting = new Map();
  worker.onerror = ({ message }) => waiting.forEach(({ done }) => done({ problem: message }));
  worker.onmessage = ({ data }) => {
    if ('total' in data) return;
    const { parts, count, done } = waiting.get(data.call ?? data.game);
    if (data.part ?? data.message) parts.push(data.part ?? data.message);
    if (data.game ? parts.length === count : !data.part) done(data.problem ? data : (data.answer ?? parts));
  };
  window.ask = calls => Promise.all(calls.map(call => new Promise(done => {
    waiting.set(call.call, { done, parts: [] });
    worker.postMessage(call);
  })));
  window.play = (game, requests, count) => new Promise(done => {
    waiting.set(game, { done, count, parts: [] });
    for (const request of requests) worker.postMessage({ game, request });
  });
}"""


class Worker:
    """Questions in, answers out, many at a time."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._number = 0

    @classmethod
    @contextmanager
    def open(cls, browser: Browser, site: str) -> Iterator[Worker]:
        context = browser.new_context()
        page = context.new_page()
        page.goto(f"{site}LICENSES.txt")  # any file of the folder that runs nothing itself
        page.evaluate(SET_UP)
        yield cls(page)
        context.close()

    def ask(self, kind: str, questions: Sequence[dict[str, Any]]) -> list[Any]:
        """The answers of `models`, `predict`, `attention` or `analyse`; refusals as {"problem": …}."""
        calls = [{"call": self._next(), "ask": kind, "question": each} for each in questions]
        found: list[Any] = self._page.evaluate("calls => ask(calls)", calls)
        return found

    def play(self, *requests: dict[str, Any] | None, answers: int | None = None) -> list[Any]:
        """The messages of one game: as many as there were requests, or so many."""
        found: list[Any] = self._page.evaluate(
            "([game, requests, count]) => play(game, requests, count)",
            [self._next(), requests, answers or len(requests)],
        )
        return found

    def begin(self, **request: Any) -> Any:
        """The first message of a game."""
        return self.play({"type": "new", **request})[0]

    def _next(self) -> int:
        self._number += 1
        return self._number
