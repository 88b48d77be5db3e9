"""Downloads from a real server on this machine that breaks off, forgets, changes its files and lies."""

from __future__ import annotations

import hashlib
import random
import resource
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.corpus.broken_server import Site, handler_for
from zeroply.corpus import fetch
from zeroply.corpus.download import SOURCES, download, sources
from zeroply.errors import ReadError

PUZZLES = "lichess_db_puzzle.csv.zst"
GAMES = "standard/lichess_db_standard_rated_2024-07.pgn.zst"
DATA = random.Random(1).randbytes(300_000)  # noqa: S311


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setattr(fetch, "PAUSES", (0.0, 0.0))
    monkeypatch.setattr(fetch, "TIMEOUT", 5.0)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    checksum = hashlib.sha256(DATA).hexdigest()
    name = GAMES.rpartition("/")[2]
    june, may = name.replace("07", "06"), name.replace("07", "05")
    site = Site(
        files={
            PUZZLES: DATA,
            GAMES: DATA,
            "standard/list.txt": "".join(
                f"https://x.test/standard/{n}\n" for n in (june, name, may)
            ).encode(),
            "standard/sha256sums.txt": f"{'0' * 64}  {june}\n{checksum}  {name}\n".encode(),
        }
    )
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler_for(site))
    site.base = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield site
    site.over.set()
    server.shutdown()
    thread.join()
    server.server_close()


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def break_off(site: Site, folder: Path, at: int) -> None:
    """Leave a part of `at` bytes in the folder, as a call that gave up does."""
    site.breaks, site.statuses = [at], [500, 500]
    with pytest.raises(ReadError, match=f"{at:,} bytes are in"):
        download("lichess-puzzles", folder, base=site.base)
    assert (folder / f"{PUZZLES}.part").read_bytes() == site.files[PUZZLES][:at]
    site.asked.clear()


def test_a_file_comes_whole_and_says_how_far_it_is(site: Site, tmp_path: Path) -> None:
    heard: list[tuple[int, int | None]] = []
    path = download(
        "lichess-puzzles", tmp_path / "new", base=f"{site.base}/", progress=lambda *now: heard.append(now)
    )
    assert path == tmp_path / "new" / PUZZLES
    assert path.read_bytes() == DATA
    assert names_in(path.parent) == {PUZZLES}
    assert heard[0] == (0, len(DATA))
    assert heard[-1] == (len(DATA), len(DATA))
    assert [done for done, _ in heard] == sorted(done for done, _ in heard)


def test_a_file_that_is_there_is_not_asked_for_again(site: Site, tmp_path: Path) -> None:
    (tmp_path / PUZZLES).write_bytes(b"mine")
    assert download("lichess-puzzles", tmp_path, base=site.base).read_bytes() == b"mine"
    assert not site.asked


def test_the_latest_month_is_the_default(site: Site, tmp_path: Path) -> None:
    path = download("lichess-games", tmp_path, base=site.base)
    assert path.name == "lichess_db_standard_rated_2024-07.pgn.zst"
    assert path.read_bytes() == DATA


@pytest.mark.parametrize("reset", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_broken_at_random_places_it_ends_with_the_same_bytes(
    site: Site, tmp_path: Path, seed: int, reset: bool
) -> None:
    site.reset = reset
    chance = random.Random(seed)  # noqa: S311
    site.breaks = [chance.randrange(len(DATA) // 12) for _ in range(12)]
    path = None
    while path is None:  # a reset may leave several answers without a byte, and then the call gives up
        with suppress(ReadError):
            path = download("lichess-games", tmp_path, month="2024-07", base=site.base)
    assert path.read_bytes() == DATA
    assert names_in(tmp_path) == {path.name}
    body_requests = [asked for name, asked, _ in site.asked if name == GAMES]
    starts = [int(asked.removeprefix("bytes=")[:-1]) for asked in body_requests if asked]
    assert starts == sorted(starts)  # never back to the beginning
    assert len(body_requests) == 13


def test_a_later_call_asks_for_the_rest_only(site: Site, tmp_path: Path) -> None:
    break_off(site, tmp_path, 123_456)
    assert download("lichess-puzzles", tmp_path, base=site.base).read_bytes() == DATA
    assert site.asked == [(PUZZLES, "bytes=123456-", site.etag(DATA))]


def test_an_interrupted_call_is_gone_on_with(site: Site, tmp_path: Path) -> None:
    def interrupt(done: int, length: int | None) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        download("lichess-puzzles", tmp_path, base=site.base, progress=interrupt)
    size = (tmp_path / f"{PUZZLES}.part").stat().st_size
    assert 0 < size < len(DATA)
    site.asked.clear()
    assert download("lichess-puzzles", tmp_path, base=site.base).read_bytes() == DATA
    assert site.ranges_asked() == [f"bytes={size}-"]


def test_a_connection_that_falls_silent_counts_as_broken(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetch, "TIMEOUT", 0.2)
    site.stalls = True
    site.breaks = [1000]
    assert download("lichess-puzzles", tmp_path, base=site.base).read_bytes() == DATA
    assert site.ranges_asked() == [None, "bytes=1000-"]


def test_a_date_serves_where_there_is_no_etag(site: Site, tmp_path: Path) -> None:
    site.etags = False
    break_off(site, tmp_path, 1000)
    assert download("lichess-puzzles", tmp_path, base=site.base).read_bytes() == DATA
    assert site.asked == [(PUZZLES, "bytes=1000-", "Mon, 01 Jul 2024 00:00:00 GMT")]


def test_without_either_it_starts_anew(site: Site, tmp_path: Path) -> None:
    site.etags = site.dates = False
    break_off(site, tmp_path, 1000)
    assert download("lichess-puzzles", tmp_path, base=site.base).read_bytes() == DATA
    assert site.ranges_asked() == [None]


def test_weak_etags_are_no_ground_to_go_on(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site, "etag", lambda data: 'W/"1"')
    site.dates = False
    break_off(site, tmp_path, 1000)
    assert download("lichess-puzzles", tmp_path, base=site.base).read_bytes() == DATA
    assert site.ranges_asked() == [None]


@pytest.mark.parametrize("ranges", [True, False])
def test_a_new_version_starts_anew(site: Site, tmp_path: Path, ranges: bool) -> None:
    break_off(site, tmp_path, 100_000)
    site.ranges = ranges
    site.files[PUZZLES] = DATA[::-1][:200_000]
    assert download("lichess-puzzles", tmp_path, base=site.base).read_bytes() == site.files[PUZZLES]
    assert site.ranges_asked() == ["bytes=100000-"]


def test_a_server_that_overlooks_the_condition_is_caught(site: Site, tmp_path: Path) -> None:
    break_off(site, tmp_path, 100_000)
    site.careless = True
    site.files[PUZZLES] = DATA[::-1]
    assert download("lichess-puzzles", tmp_path, base=site.base).read_bytes() == DATA[::-1]
    assert site.ranges_asked() == ["bytes=100000-", None]


def test_a_server_that_ignores_ranges_starts_anew(site: Site, tmp_path: Path) -> None:
    break_off(site, tmp_path, 100_000)
    site.ranges = False
    assert download("lichess-puzzles", tmp_path, base=site.base).read_bytes() == DATA
    assert site.ranges_asked() == ["bytes=100000-"]


def test_a_server_that_ignores_ranges_and_always_breaks_is_given_up(site: Site, tmp_path: Path) -> None:
    site.ranges = False
    site.breaks = [5000] * 100
    with pytest.raises(ReadError, match=r"broke off before byte 300,000\. 5,000 bytes are in"):
        download("lichess-puzzles", tmp_path, base=site.base)
    assert len(site.asked) == 3  # one that got further than ever before, then as many as there are pauses


def test_other_bytes_than_asked_for_are_not_taken(site: Site, tmp_path: Path) -> None:
    break_off(site, tmp_path, 100_000)
    site.shift = 7
    assert download("lichess-puzzles", tmp_path, base=site.base).read_bytes() == DATA
    assert site.ranges_asked() == ["bytes=100000-", None]


def test_a_refused_rest_starts_anew(site: Site, tmp_path: Path) -> None:
    break_off(site, tmp_path, 100_000)
    site.statuses = [416]
    assert download("lichess-puzzles", tmp_path, base=site.base).read_bytes() == DATA
    assert site.ranges_asked() == ["bytes=100000-", None]


def test_a_whole_part_only_wants_its_name(site: Site, tmp_path: Path) -> None:
    break_off(site, tmp_path, 100_000)
    (tmp_path / f"{PUZZLES}.part").write_bytes(DATA)
    assert download("lichess-puzzles", tmp_path, base=site.base).read_bytes() == DATA
    assert not site.asked


@pytest.mark.parametrize("note", ["{", "[]", '{"url": 1}', None])
def test_a_part_with_a_bad_note_starts_anew(site: Site, tmp_path: Path, note: str | None) -> None:
    (tmp_path / f"{PUZZLES}.part").write_bytes(b"junk")
    if note is not None:
        (tmp_path / f"{PUZZLES}.part.json").write_text(note)
    assert download("lichess-puzzles", tmp_path, base=site.base).read_bytes() == DATA


def test_a_part_that_is_too_long_starts_anew(site: Site, tmp_path: Path) -> None:
    break_off(site, tmp_path, 100_000)
    (tmp_path / f"{PUZZLES}.part").write_bytes(DATA + b"x")
    assert download("lichess-puzzles", tmp_path, base=site.base).read_bytes() == DATA
    assert site.ranges_asked() == [None]


def test_a_part_from_another_server_starts_anew(site: Site, tmp_path: Path) -> None:
    break_off(site, tmp_path, 100_000)
    site.files[f"mirror/{PUZZLES}"] = DATA
    assert download("lichess-puzzles", tmp_path, base=f"{site.base}/mirror").read_bytes() == DATA
    assert site.ranges_asked() == [None]


def test_a_wrong_checksum_deletes_the_bytes(site: Site, tmp_path: Path) -> None:
    site.files[GAMES] = DATA[:-1] + b"?"
    with pytest.raises(ReadError, match=r"checksum is .* not .* deleted; try again"):
        download("lichess-games", tmp_path, month="2024-07", base=site.base)
    assert not names_in(tmp_path)


def test_a_chunked_file_is_whole_only_with_its_last_chunk(site: Site, tmp_path: Path) -> None:
    site.chunked = True
    site.breaks = [20_000, 20_000, 30_000]
    heard: list[int | None] = []
    path = download(
        "lichess-puzzles", tmp_path, base=site.base, progress=lambda done, length: heard.append(length)
    )
    assert path.read_bytes() == DATA
    assert set(heard) == {None}
    assert len(site.asked) == 4


def test_a_file_without_a_length_is_refused(site: Site, tmp_path: Path) -> None:
    site.lengths = False
    with pytest.raises(ReadError, match="no length"):
        download("lichess-puzzles", tmp_path, base=site.base)
    assert not names_in(tmp_path)


def test_a_full_disk_keeps_what_is_there(site: Site, tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (70_000, hard))
    try:
        with pytest.raises(OSError, match="too large"):
            download("lichess-puzzles", tmp_path, base=site.base)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert len(site.asked) == 1  # another try would not help
    site.asked.clear()
    part = (tmp_path / f"{PUZZLES}.part").read_bytes()
    assert part == DATA[:70_000]
    assert download("lichess-puzzles", tmp_path, base=site.base).read_bytes() == DATA
    assert site.ranges_asked() == ["bytes=70000-"]


@pytest.mark.parametrize("status", [500, 503, 429])
def test_a_server_in_trouble_is_asked_again(site: Site, tmp_path: Path, status: int) -> None:
    site.statuses = [status, status]
    assert download("lichess-puzzles", tmp_path, base=site.base).read_bytes() == DATA
    site.statuses = [status] * 3
    with pytest.raises(ReadError, match=f"answers {status} .*. Nothing came; the same command"):
        download("lichess-puzzles", tmp_path / "other", base=site.base)


def test_a_missing_file_is_asked_for_once(site: Site, tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"lichess_db_eval.jsonl.zst: the server answers 404 Not Found"):
        download("lichess-evals", tmp_path, base=site.base)
    assert len(site.asked) == 1


@pytest.mark.parametrize("status", [404, 500])
def test_without_checksums_there_are_no_games(site: Site, tmp_path: Path, status: int) -> None:
    site.statuses = [status]
    with pytest.raises(ReadError, match=f"sha256sums.txt: the server answers {status}"):
        download("lichess-games", tmp_path, month="2024-07", base=site.base)


def test_nobody_there_is_one_line(site: Site, tmp_path: Path) -> None:
    for name in SOURCES:
        with pytest.raises(ReadError) as error:
            download(name, tmp_path, base="http://127.0.0.1:9")
        assert "refused" in str(error.value)
        assert "\n" not in str(error.value)


def test_redirects_are_followed(site: Site, tmp_path: Path) -> None:
    site.redirects[PUZZLES] = f"/{GAMES}"
    break_off(site, tmp_path, 100_000)
    assert download("lichess-puzzles", tmp_path, base=site.base).read_bytes() == DATA
    assert site.ranges_asked() == ["bytes=100000-", "bytes=100000-"]


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("ftp://127.0.0.1/x", "unknown url type: ftp"),
        ("file:///etc/passwd", "not allowed"),
        (f"/{PUZZLES}", "infinite loop"),
    ],
)
def test_bad_redirects_are_one_line(site: Site, tmp_path: Path, target: str, says: str) -> None:
    site.redirects[PUZZLES] = target
    with pytest.raises(ReadError, match=says) as error:
        download("lichess-puzzles", tmp_path, base=site.base)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "month", "base", "says"),
    [
        ("lichess-openings", None, "", "lichess-games, lichess-evals, lichess-puzzles"),
        ("lichess-games", "2024-7", "", "YYYY-MM"),
        ("lichess-games", "2024-13", "", "YYYY-MM"),
        ("lichess-games", "../../etc", "", "YYYY-MM"),
        ("lichess-games", "2013-01", "", "not in http://127.0.0.1.*sha256sums.txt. Choose a month"),
        ("lichess-evals", "2024-07", "", "has no months"),
        ("lichess-evals", None, "file:///etc", "http:// or https://"),
        ("lichess-evals", None, "database.lichess.org", "http:// or https://"),
    ],
)
def test_a_bad_call_says_what_is_allowed(
    site: Site, tmp_path: Path, name: str, month: str | None, base: str, says: str
) -> None:
    with pytest.raises(ReadError, match=says):
        download(name, tmp_path, month=month, base=base or site.base)
    assert not names_in(tmp_path)


def test_a_list_without_months_says_so(site: Site, tmp_path: Path) -> None:
    site.files["standard/list.txt"] = b"<html>maintenance</html>"
    with pytest.raises(ReadError, match="lists no month"):
        download("lichess-games", tmp_path, base=site.base)


def test_every_source_has_a_line_for_help() -> None:
    for name in SOURCES:
        assert "\n" not in sources(name)
        assert "CC0" in sources(name)
    with pytest.raises(ReadError, match="not a known source"):
        sources("nothing")
