"""The upgrade drill: a course of an older version, in the middle of its term, goes on with this one and loses nothing.

The older version is a commit of this clone's history: it makes, grades and marks the course itself.
"""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from classroom import BIN, ENGINE, ROOT, SmallCourse
from graded_class import SCORES
from nbgrader.api import Gradebook
from operators_page import commands, shell

OLD = "61a9653"  # the last one with tables 0005: no log of marks, no queue, no languages
ITS_TABLES = "0005"
# What the older version does, in its own words: these helpers are its own, too.
MIDDLE_OF_THE_TERM = """
import sys
from pathlib import Path
from classroom import SmallCourse
from graded_class import grade, submit_all
from nbgrader.api import Gradebook

course = SmallCourse.make(Path(sys.argv[1]))
for words in (("generate_assignment", "async"), ("generate_feedback", "async")):
    if words[0] == "generate_feedback":
        submit_all(course)
        assert set(grade(course)) == {"ada", "bob", "cleo", "dan", "eve"}
    done = course.nbgrader(*words)
    assert done.returncode == 0, done.stderr
with Gradebook(f"sqlite:///{course.root}/gradebook.db", "syncpoint") as gradebook:
    gradebook.find_grade("why", "work", "async", "ada").manual_score = 1.5
    gradebook.find_comment("why", "work", "async", "ada").manual_comment = "Half of it."
    gradebook.db.commit()
"""

Rows = dict[tuple[str, tuple[str, ...]], list[str]]

pytestmark = [
    pytest.mark.exhaustive,
    pytest.mark.engine,
    pytest.mark.sandbox,
    pytest.mark.slow,
    pytest.mark.skipif(
        subprocess.run(["git", "cat-file", "-e", f"{OLD}^{{commit}}"], cwd=ROOT, capture_output=True).returncode != 0,
        reason=f"the history of this clone does not reach back to {OLD}; `git fetch --unshallow` gets it",
    ),
]


def git(*words: str | Path) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def clone(folder: Path) -> Path:
    """A clone of the older version, with the environments of this one."""
    git("clone", "--quiet", "--shared", "--no-checkout", ROOT, folder)
    git("-C", folder, "checkout", "--quiet", OLD)
    (folder / ".venv-mxnet").symlink_to(ENGINE)
    return folder


def rows(course: Path, like: Rows | None = None) -> Rows:
    """All that the gradebook holds; of the tables and columns of ``like``, if it is given."""
    found: Rows = {}
    with closing(sqlite3.connect(course / "gradebook.db")) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        tables = like or {
            (name, tuple(column[1] for column in database.execute(f"PRAGMA table_info({name})"))): []
            for name in names
            if name not in ("syncpoint_version", "sqlite_sequence")
        }
        for name, columns in tables:
            found[name, columns] = sorted(map(repr, database.execute(f"SELECT {', '.join(columns)} FROM {name}")))
    return found


def handed_in(course: Path) -> dict[str, bytes]:
    folder = course / "submitted"
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def tables(course: Path) -> str:
    with closing(sqlite3.connect(course / "gradebook.db")) as database:
        return database.execute("SELECT version_num FROM syncpoint_version").fetchone()[0]


def marked(course: Path) -> tuple[dict[str, tuple[float, ...]], float, str]:
    """The scores, and what was given and written by hand."""
    with Gradebook(f"sqlite:///{course}/gradebook.db", "syncpoint") as gradebook:
        hand = ("why", "work", "async", "ada")
        by_hand = gradebook.find_grade(*hand).manual_score, gradebook.find_comment(*hand).manual_comment
    return SmallCourse(course).scores(), *by_hand


@pytest.fixture
def old(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a program of the tools with the older version of Syncpoint."""
    home = clone(tmp_path / "old")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "SYNCPOINT"))}
    environment |= {"PATH": f"{BIN}:{os.environ['PATH']}", "PYTHONPATH": f"{home}:{home}/tests/helpers"}

    def run(*words: str | Path, at: Path = tmp_path) -> subprocess.CompletedProcess[str]:
        program = [str(BIN / words[0]), *map(str, words[1:])]
        return subprocess.run(program, cwd=at, env=environment, capture_output=True, text=True, check=False)

    return run


@pytest.fixture
def course(old: Callable[..., Any], tmp_path: Path) -> Path:
    """A course that the older version has graded, and work of fay's that it has not."""
    root = tmp_path / "courses" / "autumn"
    done = old("python", "-c", MIDDLE_OF_THE_TERM, root)
    assert done.returncode == 0, done.stderr
    SmallCourse(root).submit("fay", SmallCourse(root).solved())
    assert (tables(root), marked(root)) == (ITS_TABLES, (SCORES, 1.5, "Half of it."))
    return root


def test_a_course_of_an_older_version_goes_on_and_loses_nothing(course: Path):
    small, before, work = SmallCourse(course), rows(course), handed_in(course)

    # The first command brings the tables up to date; marks stand as they stood.
    assert small.run("syncpoint", "log").stdout == "No mark was changed.\n"
    assert tables(course) != ITS_TABLES
    assert rows(course, like=before) == before
    # What the doctor finds wrong is the release, which lacks what came since, and the command that it names mends it.
    done = small.run("syncpoint", "doctor")
    (wrong,) = [line for line in done.stdout.splitlines() if line.startswith("WRONG")]
    assert done.returncode == 1
    assert wrong.split()[1] == "release"
    mends = wrong.partition("->")[2].split()
    assert mends == ["nbgrader", "generate_assignment", "async", "--force"]
    done = small.run(*mends)
    assert done.returncode == 0, done.stderr
    done = small.run("syncpoint", "doctor")
    assert done.returncode == 0, done.stdout
    assert marked(course) == (SCORES, 1.5, "Half of it.")

    # The judge is another one, so everybody is judged anew, once; nobody's mark is another one for it.
    done = small.run("syncpoint", "grade", "async", "--workers", "1")
    assert done.returncode == 0, done.stderr
    assert "4 graded, 2 from the store" in done.stderr  # fay wrote what ada did, and of eve there is nothing to judge
    everybody = {**SCORES, "fay": (4.0, 2.0)}
    assert marked(course) == (everybody, 1.5, "Half of it.")
    assert small.run("syncpoint", "log").stdout == "No mark was changed.\n"
    assert "6 unchanged" in small.run("syncpoint", "grade", "async", "--workers", "1").stderr
    done = small.run("syncpoint", "prune", "--size", "0")
    assert "Removed 4 results" in done.stdout, done.stdout + done.stderr
    done = small.nbgrader("generate_feedback", "async", "--force")
    assert done.returncode == 0, done.stderr
    assert "Half of it." in small.feedback("ada")
    assert small.feedback("fay")
    assert handed_in(course).items() >= work.items()


def test_the_way_back_is_the_gradebook_of_the_backup(course: Path, old: Callable[..., Any], tmp_path: Path):
    backups = tmp_path / "backups"
    done = shell(commands("Back up", COURSE=str(course), BACKUPS=str(backups), SYNCPOINT=str(ROOT)))
    assert done.returncode == 0, done.stderr
    before = rows(course)
    assert SmallCourse(course).run("syncpoint", "grade", "async", "--workers", "1").returncode == 0
    newer = rows(course)

    # An older version does not write into newer tables.
    done = old("syncpoint", "grade", "async", "--workers", "1", at=course)
    assert "newer Syncpoint" in done.stderr
    assert rows(course) == newer
    (backup,) = backups.iterdir()
    shutil.copy(backup / "gradebook.db", course)
    assert rows(course) == before
    done = old("syncpoint", "grade", "async", "--workers", "1", at=course)
    assert done.returncode == 0, done.stderr
    assert marked(course) == ({**SCORES, "fay": (4.0, 2.0)}, 1.5, "Half of it.")
    assert tables(course) == ITS_TABLES


def test_the_clone_is_brought_to_another_version_as_the_page_says(tmp_path: Path):
    """As an operator types it: the environments are made for it, and the commands are those of the new version."""
    home = clone(tmp_path / "clone")
    # The new version is this one, with what is not committed yet.
    new = git("stash", "create") or git("rev-parse", "HEAD")
    done = shell(commands("Upgrade", SYNCPOINT=str(home), VERSION=new))
    assert done.returncode == 0, done.stdout + done.stderr
    assert not (home / ".venv-mxnet").is_symlink()
    assert ENGINE.is_dir()
    asked = "import syncpoint.records.database as it; print(it.newest(), it.__file__)"
    for python, where in ((home / ".venv" / "bin" / "python", home), (BIN / "python", ROOT)):
        done = subprocess.run([python, "-P", "-c", asked], capture_output=True, text=True, check=False, cwd="/")
        assert done.returncode == 0, done.stderr
        assert done.stdout.split()[1] == str(where / "syncpoint" / "records" / "database.py")
