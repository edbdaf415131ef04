"""The restore drill: a course is backed up while it is graded, destroyed, and comes back with all marks."""

import csv
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest
from benchmarks.postgresql import Server
from classroom import ENGINE, ROOT, SmallCourse
from graded_class import SCORES, grade, hold, running, submit_all
from how_to import commands, shell

BACKUP = ROOT / "deploy" / "systemd" / "backup.sh"
PAGE = "backup-and-upgrade.md"
HAND = ("ada", "async", "work", "why")


def back_up(course: Path, folder: Path, *database: str) -> Path:
    done = shell(" ".join(map(str, (BACKUP, course, folder, *(f"'{one}'" for one in database)))))
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip())


def log_of(course: SmallCourse) -> list[dict[str, str]]:
    done = course.run("syncpoint", "log", "--to", "log.csv")
    assert done.returncode == 0, done.stderr
    with (course.root / "log.csv").open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.exhaustive
@pytest.mark.engine
@pytest.mark.sandbox
@pytest.mark.slow
def test_a_course_that_was_destroyed_while_it_was_graded_comes_back_and_is_graded_on(
    released: SmallCourse, tmp_path: Path
):
    course = released.copy(tmp_path / "courses" / "autumn")
    submit_all(course)
    assert set(grade(course, "--student", "ada", "--student", "bob").values()) == {"graded"}
    with course.gradebook() as gradebook:
        gradebook.find_grade(HAND[3], *reversed(HAND[:3])).manual_score = 1.5
        gradebook.db.commit()
    (course.root / ".syncpoint" / "replaced" / "cleo").mkdir(parents=True)
    (course.root / ".syncpoint" / "replaced" / "cleo" / "old.txt").write_text("handed in before")
    log = log_of(course)
    assert len(log) == 1
    hold(course, "dan")
    with running(course) as run:
        run.held()  # the backup is made while a notebook is judged
        done = shell(
            commands(PAGE, "Back up", COURSE=str(course.root), BACKUPS=str(tmp_path / "backups"), SYNCPOINT=str(ROOT))
        )
        assert done.returncode == 0, done.stderr
        for process in run.family():
            process.kill()
    shutil.rmtree(course.root)
    (backup,) = (tmp_path / "backups").iterdir()

    restore = commands(PAGE, "Restore", COURSE=str(course.root), BACKUP=str(backup), SYNCPOINT=str(tmp_path / "clone"))
    (tmp_path / "clone").mkdir()
    (tmp_path / "clone" / ".venv-mxnet").symlink_to(ENGINE)
    done = shell(restore)
    assert done.returncode == 0, done.stderr
    assert log_of(course) == log
    assert {student: course.scores()[student] for student in ("ada", "bob")} == {
        student: SCORES[student] for student in ("ada", "bob")
    }
    assert (course.root / ".syncpoint" / "replaced" / "cleo" / "old.txt").exists()
    submit_all(course)  # dan without the gate
    became = grade(course)
    assert {became[student] for student in ("ada", "bob")} == {"from the store"} and set(became) == set(SCORES)
    assert course.scores() == SCORES and log_of(course) == log
    with course.gradebook() as gradebook:
        assert gradebook.find_grade(HAND[3], *reversed(HAND[:3])).manual_score == 1.5


@pytest.mark.exhaustive
@pytest.mark.engine
@pytest.mark.sandbox
@pytest.mark.slow
def test_a_gradebook_on_postgresql_comes_back(server: Server, tmp_path: Path):
    course = SmallCourse.make(tmp_path / "course")
    course.configure(f'\nc.CourseDirectory.db_url = "{server.create("before")}"\n')
    assert course.nbgrader("generate_assignment", "async").returncode == 0
    course.submit("ada", course.solved())
    assert grade(course) == {"ada": "graded"}
    backup = back_up(course.root, tmp_path / "backups", server.url("before").replace("+psycopg", ""))
    assert sorted(path.name for path in backup.iterdir()) == ["course.tar.gz", "gradebook.dump", "graded.tar.gz"]
    done = shell(commands(PAGE, "Restore", 1, DATABASE="after", BACKUP=str(backup)), **server.variables)
    assert done.returncode == 0, done.stderr
    course.configure(f'\nc.CourseDirectory.db_url = "{server.url("after")}"\n')
    table = course.run("syncpoint", "scores", "async").stdout  # the folder is the same one
    assert [line.split()[:3] for line in table.splitlines() if line.strip().startswith("ada")] == [["ada", "4", "2"]]
    log = course.run("syncpoint", "log")
    assert log.stdout == "No mark was changed.\n" and log.stderr == ""
    assert grade(course) == {"ada": "from the store"}


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A course with a gradebook that is a database."""
    root = tmp_path / "course"
    root.mkdir()
    (root / "nbgrader_config.py").write_text("c = get_config()\n")
    subprocess.run(["sqlite3", root / "gradebook.db", "CREATE TABLE student (id)"], check=True)
    return root


def test_only_the_newest_are_kept(small: Path, tmp_path: Path):
    for day in range(1, 5):
        (tmp_path / "backups" / f"2026010{day}T000000Z").mkdir(parents=True)
    (tmp_path / "backups" / "notes").mkdir()
    done = shell(f"KEEP=3 {BACKUP} {small} {tmp_path}/backups")
    assert done.returncode == 0, done.stderr
    new = Path(done.stdout.strip()).name
    there = sorted(path.name for path in (tmp_path / "backups").iterdir())
    assert there == sorted(["20260103T000000Z", "20260104T000000Z", new, "notes"])


def test_a_damaged_gradebook_is_no_backup_and_the_old_ones_stay(small: Path, tmp_path: Path):
    (tmp_path / "backups" / "20260101T000000Z").mkdir(parents=True)
    (small / "gradebook.db").write_bytes(b"SQLite format 3\0" + b"nothing of a database" * 400)
    done = shell(f"KEEP=1 {BACKUP} {small} {tmp_path}/backups")
    assert done.returncode != 0
    assert [path.name for path in (tmp_path / "backups").iterdir()] == ["20260101T000000Z"]


@pytest.mark.parametrize(
    ("spoil", "output"),
    [
        (lambda course: (course / "nbgrader_config.py").unlink(), "is not a course"),
        (lambda course: (course / "gradebook.db").unlink(), "has no gradebook.db"),
    ],
)
def test_what_cannot_be_backed_up_says_why(small: Path, tmp_path: Path, spoil, output: str):
    spoil(small)
    done = shell(f"{BACKUP} {small} {tmp_path}/backups")
    assert done.returncode == 1 and output in done.stderr
    assert not any((tmp_path / "backups").glob("*"))


@pytest.mark.parametrize("words", ["", "{0}", "{0} {0}-backups database more"])
def test_words_that_say_too_little_or_too_much_are_refused(small: Path, words: str):
    done = shell(f"{BACKUP} {words.format(small)}")
    assert done.returncode == 1
    assert done.stderr == ("backup.sh: name the course and the target folder: backup.sh COURSE FOLDER [DATABASE]\n")


def test_a_course_that_is_not_there_is_named(tmp_path: Path):
    done = shell(f"{BACKUP} {tmp_path}/nosuch {tmp_path}/backups")
    assert done.returncode == 1
    assert done.stderr == f"backup.sh: {tmp_path}/nosuch is not a course: it has no nbgrader_config.py.\n"


def test_a_backup_does_not_go_into_the_course(small: Path, tmp_path: Path):
    (tmp_path / "link").symlink_to(small)
    for folder in (small / "backups", tmp_path / "link" / "backups"):
        done = shell(f"{BACKUP} {small} {folder}")
        assert done.returncode == 1 and "belongs on another disk" in done.stderr
        assert not (small / "backups").exists()


def test_everything_is_in_one_of_the_two_archives_and_nothing_in_both(small: Path, tmp_path: Path):
    private = (
        "submitted/ada/async/work.ipynb",
        ".syncpoint/pseudonyms.key",
        ".syncpoint/replaced/ada/old",
        ".syncpoint/tries/.released/0123",
        "roster.csv",
    )
    derived = (
        "autograded/ada/work.ipynb",
        "feedback/ada.html",
        ".syncpoint/results/aa/b",
        ".syncpoint/submissions/a/b",
    )
    left_out = (".venv-plain/x", "build/x", "source/__pycache__/x")
    for name in (*private, *derived, *left_out):
        (small / name).parent.mkdir(parents=True, exist_ok=True)
        (small / name).touch()
    backup = back_up(small, tmp_path / "backups")
    held = {
        name: {path.removeprefix("./") for path in tarfile.open(backup / name).getnames()}
        for name in ("course.tar.gz", "graded.tar.gz")
    }
    assert {*private, "nbgrader_config.py"} <= held["course.tar.gz"] and not {*private} & held["graded.tar.gz"]
    assert {*derived} <= held["graded.tar.gz"] and not {*derived} & held["course.tar.gz"]
    assert not {*left_out, "gradebook.db"} & (held["course.tar.gz"] | held["graded.tar.gz"])


def test_what_is_graded_meanwhile_is_older_in_the_backup_than_its_mark_and_its_work_is_there(
    small: Path, tmp_path: Path
):
    """Somebody hands in and is graded just before the database is asked."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "sqlite3").write_text(
        f'#!/bin/sh\nmkdir -p {small}/submitted/ada {small}/autograded/ada\nexec {shutil.which("sqlite3")} "$@"\n'
    )
    (programs / "sqlite3").chmod(0o755)
    done = shell(f"PATH={programs}:$PATH {BACKUP} {small} {tmp_path}/backups")
    assert done.returncode == 0, done.stderr
    backup = Path(done.stdout.strip())
    assert "./submitted/ada" in tarfile.open(backup / "course.tar.gz").getnames()
    assert "./autograded/ada" not in tarfile.open(backup / "graded.tar.gz").getnames()


def test_a_backup_is_for_its_owner_alone(small: Path, tmp_path: Path):
    backup = back_up(small, tmp_path / "backups")
    assert [path.name for path in (backup, *backup.iterdir()) if path.stat().st_mode & 0o077] == []
