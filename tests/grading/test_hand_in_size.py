"""What every student's folder has the same is on the disk once, from the submission to the feedback."""

import shutil
from pathlib import Path

import pytest
from classroom import SmallCourse
from small_class import syncpoint

pytestmark = pytest.mark.slow

STUDENTS = ("ada", "bob")


def files(folder: Path) -> dict[str, Path]:
    return {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}


def test_a_hand_in_takes_little_more_than_the_students_own_bytes(course: SmallCourse):
    released = files(course.root / "release" / "async")
    assert sum(path.stat().st_size for path in released.values()) > 300_000  # the wheels are there
    for student in STUDENTS:
        shutil.copytree(course.root / "release" / "async", course.root / "submitted" / student / "async")
        course.submit(student, course.solved(double=f"def double(x):\n    return 2 * x  # {student}"))
        for name in ("timestamp.txt", "submission_secret.txt"):
            (course.folder(student) / name).write_text("2026-01-01 00:00:00 UTC")
            (course.folder(student) / name).chmod(0o640)
    done = syncpoint(course, "prune")
    assert done[0] == 0 and "MiB freed by links to one copy." in done[1], done
    for command in ("autograde", "generate_feedback"):
        course.must_run("nbgrader", command, "async")
    places = [course.root / name for name in ("submitted", "autograded", "feedback")]
    for place in places[:2]:
        ada, bob = (files(place / student / "async") for student in STUDENTS)
        same = [name for name in released if not name.endswith(".ipynb")]
        assert any(name.endswith(".whl") for name in same), place
        assert all(ada[name].samefile(bob[name]) for name in same), place
    assert not {Path(name).name for name in files(places[2])} & {Path(name).name for name in released}
    secret, time = (
        [place / "ada/async" / name for place in places] for name in ("submission_secret.txt", "timestamp.txt")
    )
    assert len({path.stat().st_ino for path in secret}) == 1 and secret[0].stat().st_mode & 0o777 == 0o640
    # A person may write another time into the submission: nbgrader then sees that it is newer than its graded copy.
    assert time[1].samefile(time[2]) and not time[0].samefile(time[1])
    own = [
        path.stat().st_size for place in places for path in files(place / "ada").values() if path.stat().st_nlink == 1
    ]
    assert sum(own) < 150_000
    assert course.scores()["ada"] == course.scores()["bob"]
