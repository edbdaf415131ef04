"""`nbgrader submit` on the hub: what came with the release unchanged stays where it is, all else is submitted."""

import subprocess
from pathlib import Path

import pytest
from classroom import ROOT

BIN = ROOT / ".venv" / "bin"
RELEASED = {"work.ipynb": "{}", "timeline.py": "x = 1", "data/big.csv": "1,2", "languages/pt_BR/timeline.py": "y = 1"}


def lay(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A student's home on the hub, with the hub's own settings of nbgrader, and an assignment fetched."""
    exchange = tmp_path / "exchange"
    lay(exchange / "autumn" / "outbound" / "async", RELEASED)
    (exchange / "autumn" / "inbound").mkdir()
    lay(tmp_path / "home" / "autumn" / "async", RELEASED)
    monkeypatch.setenv("SYNCPOINT_EXCHANGE", str(exchange))
    monkeypatch.setenv("JUPYTERHUB_USER", "ada")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", str(ROOT / "deploy" / "student"))
    return tmp_path


def submitted(server: Path) -> Path:
    command = [
        BIN / "nbgrader",
        "submit",
        "async",
        "--course",
        "autumn",
        "--Authenticator.plugin_class=nbgrader.auth.base.NoAuthPlugin",
    ]
    done = subprocess.run(command, cwd=server / "home", capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (folder,) = (server / "exchange" / "autumn" / "inbound").iterdir()
    return folder


def names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def test_only_what_is_the_students_is_submitted(server: Path):
    work = server / "home" / "autumn" / "async"
    lay(work, {"timeline.py": "x = 2", "own/helper.py": "z = 1"})
    assert names(submitted(server)) == {
        "work.ipynb", "timeline.py", "own", "own/helper.py", "timestamp.txt", "submission_secret.txt"
    }  # fmt: skip
    assert (work / "data" / "big.csv").is_file()  # the student's own folder stays as it is


def test_without_a_release_everything_is_submitted(server: Path):
    for path in (server / "exchange" / "autumn" / "outbound" / "async").rglob("*.py"):
        path.unlink()
    assert {"timeline.py", "languages/pt_BR/timeline.py"} < names(submitted(server))
