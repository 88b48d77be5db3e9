"""The folder that `zeroply serve --static` writes."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.shipped import BLOCKS, HEADS, STRONGEST_ENGINE
from zeroply.apps.cli import app
from zeroply.apps.web import alone
from zeroply.apps.web.alone import MANIFEST, POLICY, RUNTIME, RUNTIME_FILES, write_alone
from zeroply.apps.web.server import STATIC
from zeroply.artefacts import bundled
from zeroply.corpus.score import Kind
from zeroply.errors import ZeroplyError

ROOT = Path(__file__).parents[2]


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """In place of onnxruntime-web, files of its names: nothing is fetched."""
    path = tmp_path / "runtime.tgz"
    with tarfile.open(path, "w:gz") as packed:
        for name in RUNTIME_FILES:
            entry = tarfile.TarInfo(f"package/dist/{name}")
            entry.size = len(name)
            packed.addfile(entry, io.BytesIO(name.encode()))
    monkeypatch.setattr(alone, "archive_of", lambda package, progress: path)
    return path


def test_the_folder_has_all_that_it_asks_for(archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "site"
    write_alone(list(bundled()), out)
    html = (out / "index.html").read_text(encoding="utf-8")
    assert f'content="{POLICY}"' in html
    assert "page.js" not in html
    named = re.findall(r'(?:src|href)="\./([^"]+)"', html)
    texts = [
        (out / name).read_text(encoding="utf-8")
        for name in ("alone.js", "worker.js", "shared.js", "page.css")
    ]
    named += re.findall(r'["\'(]\.?/?([\w.-]+\.(?:js|css|wasm|json|svg))["\')]', " ".join(texts))
    manifest = json.loads((out / MANIFEST).read_text())
    named.append(Path(manifest["wasm"]["file"]).name)
    assert {"alone.js", "worker.js", "shared.js", "page.css", "models.json"} <= set(named)
    here = {path.name for path in out.rglob("*") if path.is_file()}
    assert set(named) <= here
    assert here - set(named) <= {"index.html", "LICENSES.txt", *bundled_files()}
    for name, called in RUNTIME_FILES.items():
        assert (out / "onnxruntime" / called).read_text() == name
    for sized in (manifest["wasm"], *manifest["nets"].values()):
        assert (out / sized["file"]).stat().st_size == sized["size"]


def bundled_files() -> set[str]:
    return {path.name for path in bundled().values()}


def test_the_manifest_tells_what_the_browser_cannot_read(archive: Path, tmp_path: Path) -> None:
    write_alone(["xiangqi", "chess"], tmp_path / "site")
    found = json.loads((tmp_path / "site" / MANIFEST).read_text())
    assert [model["name"] for model in found["models"]] == ["xiangqi", "chess"]
    net = found["nets"]["chess"]
    assert (tmp_path / "site" / net["file"]).read_bytes() == bundled()["chess"].read_bytes()
    assert net["outputs"] == ["policy", "wdl", "value", "evaluation", "evaluation_bins"]
    assert net["best"] == {
        "rating": STRONGEST_ENGINE,
        "opponent_rating": STRONGEST_ENGINE,
        "kind": Kind.engine,
    }
    assert [layer["heads"] for layer in net["layers"]] == [HEADS] * BLOCKS
    assert net["layers"][0]["squares"] == list(range(64))


def test_a_page_of_ours_is_replaced_and_nothing_else(archive: Path, tmp_path: Path) -> None:
    """The folder may be a repository that publishes the page."""
    out = tmp_path / "site"
    foreign = [".git/HEAD", ".nojekyll", "CNAME", "models/README.md", "about/index.html"]
    (out / ".git").mkdir(parents=True)
    for name in foreign[:3]:
        (out / name).write_text(name)
    write_alone(["chess"], out)
    (out / "about").mkdir()
    for name in foreign[3:]:
        (out / name).write_text(name)
    write_alone(["xiangqi"], out)
    assert [(out / name).read_text() for name in foreign] == foreign
    assert {path.name for path in (out / "models").iterdir()} == {"xiangqi.onnx", "README.md"}
    assert json.loads((out / MANIFEST).read_text())["models"][0]["name"] == "xiangqi"


@pytest.mark.parametrize("name", ["letter", MANIFEST])
def test_a_folder_that_is_not_ours_is_left_alone(archive: Path, tmp_path: Path, name: str) -> None:
    other = tmp_path / "letters"
    other.mkdir()
    (other / name).write_text('{"nets": 3}')
    with pytest.raises(ZeroplyError, match="is there already, and no page of ours"):
        write_alone(["chess"], other)
    with pytest.raises(ZeroplyError, match="is there already, and no page of ours"):
        write_alone(["chess"], other / name)
    assert [path.name for path in other.iterdir()] == [name]


def test_through_a_link_the_folder_is_written(archive: Path, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "real")
    for model in ("chess", "xiangqi"):
        write_alone([model], link)
    assert link.is_symlink()
    assert (tmp_path / "real" / "models" / "xiangqi.onnx").exists()


@pytest.mark.parametrize("earlier", [True, False])
def test_an_interrupted_call_leaves_what_was_there(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, earlier: bool
) -> None:
    out = tmp_path / "site"
    if earlier:
        write_alone(["chess"], out)
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}

    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("shutil.copyfileobj", interrupted)  # the last file that is written
    with pytest.raises(KeyboardInterrupt):
        write_alone(["xiangqi"], out)
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before
    assert out.exists() == earlier


@pytest.mark.parametrize(
    ("models", "text"),
    [
        (["missing"], "there is no model 'missing'"),
        (["run"], "zeroply export run run.onnx"),
        (["chess", "chess"], "two of the models are named 'chess'"),
        ([], "no model to serve"),
    ],
)
def test_bad_models_are_one_line(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, models: list[str], text: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run").mkdir()
    with pytest.raises(ZeroplyError, match=text) as error:
        write_alone(models, tmp_path / "site")
    assert "\n" not in str(error.value)
    assert not (tmp_path / "site").exists()


def test_the_command(archive: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["serve", "--static", str(tmp_path / "site"), "--model", "chess"])
    assert done.exit_code == 0, done.output
    assert "python -m http.server -d" in done.output
    assert (tmp_path / "site" / "index.html").exists()


@pytest.mark.slow
def test_offline_the_command_says_so_in_one_line(tmp_path: Path) -> None:
    code = (
        "import zeroply.corpus.fetch as f; f.PAUSES = ()\n"
        "from zeroply.__main__ import main; import sys\n"
        f"sys.argv = ['zeroply', 'serve', '--static', {str(tmp_path / 'site')!r}]\nmain()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={
            "PATH": "",
            "HOME": str(tmp_path),
            "PYTHONPATH": ":".join(sys.path),
            "NPM_CONFIG_REGISTRY": "http://127.0.0.1:1",
        },
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "onnxruntime-web" in done.stderr
    assert not (tmp_path / "site").exists()


def test_types_and_archive_are_of_one_version() -> None:
    """The front end is checked against the types of the onnxruntime that is fetched."""
    wanted = json.loads((ROOT / "frontend" / "package.json").read_text())["devDependencies"]
    assert wanted["onnxruntime-common"] == RUNTIME.version


def test_the_built_page_brings_no_runtime() -> None:
    assert not [path for path in STATIC.rglob("*") if path.suffix == ".wasm" or "ort." in path.name]
