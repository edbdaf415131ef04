"""`syncpoint watch`: whoever hands in is graded and has the feedback, once, whenever it is killed and started again."""

import os
import random
import re
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from classroom import BIN, QUEUE_WORK, SmallCourse
from exchange import EARLIER, LATER, hand_in, inbound, with_exchange
from nbgrader.utils import parse_utc
from sqlalchemy import select

from syncpoint.check.status import Exchange, status
from syncpoint.course.folder import Course
from syncpoint.records.gradebook import open_gradebook
from syncpoint.records.queue import STEPS
from syncpoint.records.tables import HandIn

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]
KILLED = Path(__file__).parents[1] / "helpers" / "killed_watch.py"


@pytest.fixture
def course(released: SmallCourse, tmp_path: Path) -> SmallCourse:
    """The small course with an exchange.  All files are the tester's, whatever the students are called."""
    course = with_exchange(released.copy(tmp_path / "course"), tmp_path / "exchange")
    course.configure("c.ExchangeCollect.check_owner = False\n")
    return course


def watch_once(course: SmallCourse) -> str:
    """What ``syncpoint watch --once`` says."""
    done = course.run(str(BIN / "syncpoint"), "watch", "--once", "--workers", "1")
    assert done.returncode == 0, done.stderr
    return done.stdout


def given_back(course: SmallCourse) -> int:
    """How many pages lie in the exchange for students."""
    return len(list((inbound(course).parent / "feedback").glob("*.html")))


def news(course: SmallCourse, student: str) -> tuple[str, list[str]]:
    """What ``%syncpoint status`` shows this student, who finds it by what `nbgrader submit` has left at their side."""
    cache = course.root.parent / f"cache of {student}"
    for folder in inbound(course).glob(f"{student}+async+*"):
        mine = cache / "syncpoint" / folder.name.rsplit("+", 1)[0]
        mine.mkdir(parents=True, exist_ok=True)
        (mine / "submission_secret.txt").write_text((folder / "submission_secret.txt").read_text())
    return status(Path(student, "async"), Exchange(inbound(course).parents[1], cache))


def queue(course: SmallCourse) -> list[HandIn]:
    """All hand-ins, in the order in which they were done."""
    with open_gradebook(Course(course.root)) as gradebook:
        rows = gradebook.db.scalars(select(HandIn)).all()
        return sorted(rows, key=lambda row: (row.done_at is None, row.done_at, row.id))


def due(course: SmallCourse, when: str, after: datetime | None = None) -> None:
    """When the assignment is due; ``after``: just after this moment instead, which has passed."""
    with open_gradebook(Course(course.root)) as gradebook:
        assignment = gradebook.find_assignment("async")
        assignment.duedate = after + timedelta(microseconds=1) if after else parse_utc(when)
        gradebook.db.commit()


def page(course: SmallCourse) -> str:
    """The one page that lies in the exchange for students, if there is one."""
    return "".join(path.read_text() for path in (inbound(course).parent / "feedback").glob("*.html"))


def test_who_hands_in_has_a_score_and_the_feedback_and_a_newer_work_replaces_them(course: SmallCourse):
    hand_in(course, "ada", EARLIER, course.solved())
    hand_in(course, "ben", EARLIER, course.solved(double="def double(x):\n    return x * 3"))
    said = watch_once(course)
    assert "ada has the feedback" in said and "ben has the feedback" in said
    assert course.scores() == {"ada": (4.0, 2.0), "ben": (4.0, 0.0)} and given_back(course) == 2

    hand_in(course, "ben", LATER, course.solved())
    watch_once(course)
    assert course.scores() == {"ada": (4.0, 2.0), "ben": (4.0, 2.0)} and given_back(course) == 3


def test_nobody_stops_the_others(course: SmallCourse):
    (inbound(course) / "x+async+no time").mkdir(mode=0o777)
    hand_in(course, "cleo", EARLIER, "no notebook")
    hand_in(course, "ada", EARLIER, course.solved())
    assert "ada has the feedback" in watch_once(course)
    assert course.scores()["ada"] == (4.0, 2.0)


@pytest.mark.parametrize("count", [3, pytest.param(40, marks=pytest.mark.exhaustive)])
def test_killed_at_each_step_all_have_one_score_and_one_feedback_in_the_order_of_the_places_shown(
    course: SmallCourse, count: int
):
    students = [f"s{number:02}" for number in random.Random(count).sample(range(100), count)]
    for student in students:
        hand_in(course, student, EARLIER, course.solved())
    shown: dict[str, str] = {}
    for step in STEPS:
        killed = course.run(sys.executable, str(KILLED), step, "1" if step == "released" else "2")
        assert killed.returncode == -signal.SIGKILL, (step, killed.stdout, killed.stderr)
        if step == "judging":
            shown |= {student: news(course, student)[0] for student in students}
        if step == "queued":
            newer = students[-1]
            hand_in(course, newer, LATER, course.solved(double="def double(x):\n    return x * 3"))
    watch_once(course)

    right = {student: (4.0, 0.0 if student == newer else 2.0) for student in students}
    assert course.scores() == right and given_back(course) == count
    rows = queue(course)
    assert sorted(row.student for row in rows) == sorted(students)
    assert {(row.state, row.shown) for row in rows} == {("released", "all")}
    assert [row.student for row in rows] == students  # who came first; the second hand-in had the place of the first
    # The first one was done with when this was read.
    expected = [f"Your work is number {place} of {count - 1} in the queue." for place in range(1, count)]
    said = [shown[student] for student in students]
    assert "is graded" in said[0] and said[1:] == expected


def test_a_student_reads_their_place_then_the_feedback_and_nothing_of_others(course: SmallCourse):
    hand_in(course, "ada", EARLIER, course.solved(double="def double(x):\n    return x * 3"))
    hand_in(course, "ben", EARLIER, course.solved())
    assert news(course, "ada")[0].startswith("There is no news of async")
    watch_once(course)
    said, reports = news(course, "ada")
    assert said.startswith("Your work is graded.") and any("HINT-OF-DOUBLE" in report for report in reports)
    assert not any("HINT-OF-DOUBLE" in report for report in news(course, "ben")[1])
    folder = inbound(course).parent / "feedback"
    assert folder.stat().st_mode & 0o777 == 0o711  # nobody else can list it
    names = [path.name for path in folder.glob("*.json")]
    assert len(names) == 2 and all(re.fullmatch(r"[0-9a-f]{64}\.json", name) for name in names)
    assert not any(student in path.read_text() for path in folder.glob("*.json") for student in ("ada", "ben"))


@pytest.mark.parametrize(
    ("level", "there", "hidden"),
    [
        ("nothing", [], ["TITLE-OF-SMALL", "HINT-OF-DOUBLE"]),
        ("properties", ["TITLE-OF-SMALL"], ["HINT-OF-DOUBLE"]),
        pytest.param("no hints", ["TITLE-OF-SMALL", "seen"], ["HINT-OF-DOUBLE"], marks=pytest.mark.exhaustive),
    ],
)
def test_before_the_deadline_the_course_says_what_is_shown_and_afterwards_all(
    course: SmallCourse, level: str, there: list[str], hidden: list[str]
):
    course.configure(f"c.HandedIn.before_due = {level!r}\n")
    due(course, "2999-01-01 12:00 UTC")
    hand_in(course, "ada", EARLIER, course.solved(double="def double(x):\n    return x * 3"))
    watch_once(course)
    assert given_back(course) == (level != "nothing")
    pages = page(course) + "".join(news(course, "ada")[1])
    assert all(word in pages for word in there) and not any(word in pages for word in hidden)

    due(course, "2026-10-05 12:00 UTC")
    said = watch_once(course)
    assert "ada has the feedback" in said and given_back(course) == 1
    assert "HINT-OF-DOUBLE" in page(course) and "HINT-OF-DOUBLE" in "".join(news(course, "ada")[1])
    assert "has the feedback" not in watch_once(course)


def test_a_rule_that_no_page_would_keep_is_refused(course: SmallCourse):
    config = course.root / "nbgrader_config.py"
    config.write_text(config.read_text().replace('    "syncpoint.nbgrader_hooks.shown.ShowSoMuch",\n', ""))
    course.configure("c.HandedIn.before_due = 'nothing'\n")
    done = course.run(str(BIN / "syncpoint"), "watch", "--once")
    assert done.returncode == 1 and "students would see everything" in done.stderr


def test_who_has_no_try_left_reads_when_the_next_one_comes_and_loses_nothing(course: SmallCourse):
    (course.root / "grader_tests" / "async" / "assignment.toml").write_text("[handed_in]\ntries = 1\n")
    hand_in(course, "ada", EARLIER, course.solved(double="def double(x):\n    return x * 3"))
    watch_once(course)
    hand_in(course, "ada", LATER, course.solved())
    assert "has the feedback" not in watch_once(course)
    (held,) = [row for row in queue(course) if row.state == "held"]
    at = (held.seen_at + timedelta(hours=1)).replace(tzinfo=UTC).astimezone()
    said = news(course, "ada")[0]
    assert said.startswith("You have no try left just now.")
    assert f"{at:%Y-%m-%d}" in said or f"{at - timedelta(minutes=5):%Y-%m-%d}" in said
    assert course.scores() == {"ada": (4.0, 0.0)}

    due(course, "2000-01-01 12:00 UTC", after=held.seen_at)
    assert "ada has the feedback" in watch_once(course)
    assert course.scores() == {"ada": (4.0, 2.0)}


@pytest.mark.exhaustive
def test_300_hand_ins_within_ten_minutes_are_graded_within_the_hour(course: SmallCourse):
    """Paced by a clock, as people are; nothing waits for it but the next one who hands in."""
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
    command = [str(BIN / "syncpoint"), "watch", "async", "--workers", "2"]
    began = time.monotonic()
    with (course.root / "watch.log").open("w") as log:
        watching = subprocess.Popen(command, cwd=course.root, env=environment, stdout=log, stderr=log)
        try:
            for number in range(300):
                time.sleep(max(0.0, began + 2.0 * number - time.monotonic()))
                hand_in(course, f"s{number:03}", EARLIER, course.solved(queue_work=f"{QUEUE_WORK}  # {number}"))
            while given_back(course) < 300 and time.monotonic() < began + 3600:
                assert watching.poll() is None, (course.root / "watch.log").read_text()
                time.sleep(1)
        finally:
            watching.send_signal(signal.SIGINT)
            watching.wait()
    took = time.monotonic() - began
    assert given_back(course) == 300 and took < 3600, took
    assert set(course.scores().values()) == {(4.0, 2.0)} and len(course.scores()) == 300
    done = [row for row in queue(course) if row.state == "released"]
    assert len(done) == 300 and sorted(done, key=lambda row: row.done_at) == done
    print(f"300 hand-ins: {took:.0f} s")


def test_an_assignment_that_was_not_handed_out_is_one_sentence(course: SmallCourse):
    done = course.run(str(BIN / "syncpoint"), "watch", "steps", "--once")
    assert done.returncode == 1 and "steps was not handed out" in done.stderr and "Traceback" not in done.stderr
