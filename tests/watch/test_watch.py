"""`syncpoint watch`: each submission gets its feedback exactly once, even if the program is killed and restarted."""

import contextlib
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psutil
import pytest
from classroom import BIN, QUEUE_WORK, SmallCourse, environment
from exchange import EARLIER, LATER, ME, given_back, hand_in, inbound, news, speak, with_exchange
from nbgrader.utils import parse_utc
from rich.console import Console
from sqlalchemy import select

from syncpoint.check.ask import ask
from syncpoint.check.status import Exchange, note_name
from syncpoint.course.folder import Course
from syncpoint.grading.display import Display
from syncpoint.grading.pool import JudgingThreads
from syncpoint.records.database import one_transaction, upgrade
from syncpoint.records.gradebook import open_gradebook
from syncpoint.records.queue import STEPS
from syncpoint.records.regrade import questions
from syncpoint.records.tables import QueueEntry
from syncpoint.watch.watch import Watch, alone

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]
HONEST = ("ada", "dotted", "many", "timeless", "secretive", "troubled")
KILLED = Path(__file__).parents[1] / "helpers" / "killed_watch.py"


@pytest.fixture
def course(released: SmallCourse, tmp_path: Path) -> SmallCourse:
    """The small course with an exchange.  All files are the tester's, whatever the students are called."""
    course = with_exchange(released.copy(tmp_path / "course"), tmp_path / "exchange")
    course.configure("c.ExchangeCollect.check_owner = False\n")
    return course


def watch_once(course: SmallCourse) -> str:
    """Return the output of ``syncpoint watch --once``."""
    done = course.run(str(BIN / "syncpoint"), "watch", "--once", "--workers", "1")
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def in_process(course: SmallCourse) -> Iterator[tuple[Watch, list[str]]]:
    """The one who watches, to be asked for one look after the other, and what it says."""
    output = list[str]()
    with JudgingThreads(1, course.root) as judges:
        display = lambda name: Display(name, Console(stderr=True), None)  # noqa: E731
        with contextlib.closing(Watch(Course(course.root), judges, display, output.append)) as watch:
            yield watch, output


def left_of(below: list[int]) -> list[str]:
    """Of the judges and sandboxes of one that was killed, those that do not end: within a minute, since none waits."""
    left = []
    for number in below:
        with contextlib.suppress(psutil.NoSuchProcess):
            left.append(psutil.Process(number))
    return [" ".join(process.cmdline()) for process in psutil.wait_procs(left, timeout=60)[1]]


def queue(course: SmallCourse) -> list[QueueEntry]:
    """All hand-ins, in the order in which they were done."""
    with open_gradebook(Course(course.root)) as gradebook:
        rows = gradebook.db.scalars(select(QueueEntry)).all()
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
    output = watch_once(course)
    assert "feedback released to ada" in output and "feedback released to ben" in output
    assert course.scores() == {"ada": (4.0, 2.0), "ben": (4.0, 0.0)} and given_back(course) == 2

    hand_in(course, "ben", LATER, course.solved())
    watch_once(course)
    assert course.scores() == {"ada": (4.0, 2.0), "ben": (4.0, 2.0)} and given_back(course) == 3


def test_the_page_says_how_to_ask_and_the_question_reaches_the_teachers(course: SmallCourse):
    hand_in(course, "ada", EARLIER, course.solved())
    watch_once(course)
    (page,) = (inbound(course).parent / "feedback").glob("*.html")
    assert "%syncpoint ask double" in page.read_text()
    news(course, "ada")  # leaves at her side what `nbgrader submit` leaves there
    mine = Exchange(inbound(course).parents[1], course.root.parent / "cache of ada")
    assert ask(Path("ada", "async"), "double", "Why?", mine).startswith("Your question about double was sent.")
    watch_once(course)
    with open_gradebook(Course(course.root)) as gradebook:
        asked = [(one.student, one.exercise, one.question) for one in questions(gradebook.db())]
    assert asked == [("ada", "test_double", "Why?")]


@pytest.mark.exhaustive
def test_nobody_stops_the_others(course: SmallCourse):
    (inbound(course) / "x+async+no time").mkdir(mode=0o777)
    (inbound(course).parent / "outbound" / "elsewhere").mkdir()
    hand_in(course, "cleo", EARLIER, "no notebook")
    folders = {student: hand_in(course, student, EARLIER, course.solved()) for student in HONEST}
    for name in (".x.ipynb", "._work.ipynb"):
        (folders["dotted"] / name).write_bytes(b"\x00 no notebook")
    for number in range(201):
        (folders["many"] / f"{number}.txt").touch()
    (folders["timeless"] / "timestamp.txt").write_bytes(b"\xff")
    (folders["secretive"] / "submission_secret.txt").write_bytes(b"\xff\xfe")
    secret = (folders["troubled"] / "submission_secret.txt").read_text()
    (inbound(course).parent / "feedback" / note_name(secret, "async")).mkdir(parents=True)  # no note can be there
    output = watch_once(course)
    assert [student for student in HONEST if f"feedback released to {student}." not in output] == ["troubled"]
    assert "elsewhere is skipped" in output and "could not be shown to troubled" in output
    assert "async: troubled: failed, retrying" in output and "Traceback" not in output
    assert {row.student for row in queue(course) if row.state == "written"} == {"troubled"}
    assert "feedback of secretive" not in output  # it stands in the log of who grades
    scores = course.scores()
    assert {student: scores[student] for student in HONEST} == dict.fromkeys(HONEST, (4.0, 2.0))


@pytest.mark.exhaustive
def test_what_was_graded_before_anybody_watched_stays_as_it_is(course: SmallCourse):
    course.submit("ada", course.solved())
    assert course.run(str(BIN / "syncpoint"), "grade", "async").returncode == 0
    graded = course.root / "autograded" / "ada" / "async" / "work.ipynb"
    before = graded.stat()
    hand_in(course, "ben", EARLIER, course.solved())
    output = watch_once(course)
    assert "feedback released to ben" in output and "ada" not in output and given_back(course) == 1
    assert (graded.stat().st_ino, graded.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert {(row.student, row.state, row.tried_at is None) for row in queue(course)} == {
        ("ada", "released", True),
        ("ben", "released", False),
    }


@pytest.mark.exhaustive
def test_points_that_may_be_missing_are_not_given_back_before_they_are_worked_out_anew(course: SmallCourse):
    grader = course.grader("test_double")
    mended = grader.read_text()
    grader.write_text(mended + "\n\ndef test_broken(student):\n    raise AttributeError('ours')\n")
    hand_in(course, "ada", EARLIER, course.solved())
    assert "feedback released" not in watch_once(course)
    assert given_back(course) == 0 and news(course, "ada")[0].startswith("We hit a problem while grading")
    grader.write_text(mended)
    assert "feedback released to ada" in watch_once(course)
    assert course.scores() == {"ada": (4.0, 2.0)}


@pytest.mark.exhaustive
def test_points_that_are_still_missing_the_third_time_are_given_back(
    course: SmallCourse, monkeypatch: pytest.MonkeyPatch
):
    with course.grader("test_double").open("a") as grader:
        grader.write("\n\ndef test_broken(student):\n    raise AttributeError('ours')\n")
    hand_in(course, "ada", EARLIER, course.solved())
    monkeypatch.chdir(course.root)
    monkeypatch.setattr("syncpoint.watch.progress.RETRY_SECONDS", -1.0)  # it is time at once
    with in_process(course) as (watch, _):
        assert [watch.look(["async"]) for _ in range(3)] == [[], [], [("async", "ada")]]


def test_an_assignment_whose_settings_cannot_be_read_is_left_alone_and_loses_nothing(course: SmallCourse):
    (course.root / "grader_tests" / "async" / "assignment.toml").write_text("[on_submission]\nattempts = -1\n")
    hand_in(course, "ada", EARLIER, course.solved())
    with in_process(course) as (watch, output):
        assert watch.look(["async"]) == []
    assert "async is skipped" in " ".join(output)
    assert [row.state for row in queue(course)] == ["collected"]


@pytest.mark.exhaustive
def test_at_the_deadline_pages_come_one_by_one_after_waiting_submissions(
    course: SmallCourse, monkeypatch: pytest.MonkeyPatch
):
    course.configure("c.OnSubmission.before_due = 'nothing'\n")
    due(course, "2999-01-01 12:00 UTC")
    for student in ("ada", "ben"):
        hand_in(course, student, EARLIER, course.solved())
    watch_once(course)
    due(course, "2026-10-05 12:00 UTC")
    hand_in(course, "cleo", EARLIER, course.solved())
    monkeypatch.chdir(course.root)
    with in_process(course) as (watch, _):
        given = [watch.look(["async"]) for _ in range(2)]
        assert given == [[("async", "cleo"), ("async", "ada")], [("async", "ben")]] and watch.is_idle
        assert watch.notes._digests == {}  # what is done is not kept in memory


def command_line(process: psutil.Process) -> list[str]:
    """Of a process that may have ended."""
    with contextlib.suppress(psutil.Error):
        return process.cmdline()
    return []


def sandboxes() -> list[psutil.Process]:
    """Those of all judges below this process."""
    below = psutil.Process().children(recursive=True)
    judges = [one for one in below if "syncpoint.judge.judging_main" in command_line(one)]
    return [child for judge in judges for child in judge.children()]


@pytest.mark.exhaustive
def test_who_hands_in_first_finds_the_engine_loaded(course: SmallCourse):
    with in_process(course) as (watch, _):
        watch.look(["async"])
        assert sandboxes() == []
        assert watch.load()
        there = sandboxes()
        assert len(there) == watch.judges.count and not watch.load()
        hand_in(course, "ada", EARLIER, course.solved())
        assert watch.look(["async"]) == [("async", "ada")] and sandboxes() == there


def test_two_do_not_watch_one_course(course: SmallCourse):
    with alone(Course(course.root)):
        done = course.run(str(BIN / "syncpoint"), "watch", "--once")
    assert done.returncode == 1 and "another `syncpoint watch` is running for this course" in done.stderr


@pytest.mark.exhaustive
def test_a_damaged_gradebook_is_reported_and_does_not_end_the_program(course: SmallCourse):
    (course.root / "gradebook.db").write_text("no gradebook\n" * 1000)
    command = [str(BIN / "syncpoint"), "watch", "async", "--workers", "1"]
    with subprocess.Popen(command, cwd=course.root, env=environment(), stdout=subprocess.PIPE, text=True) as watching:
        try:
            assert any("Retrying in a minute." in line for line in watching.stdout or ())
            assert watching.poll() is None
        finally:
            watching.send_signal(signal.SIGINT)


@pytest.mark.skipif(os.geteuid() != 0, reason="gives files to another user")
def test_a_folder_of_somebody_else_does_not_change_a_students_place(released: SmallCourse, tmp_path: Path):
    course = with_exchange(released.copy(tmp_path / "course"), tmp_path / "exchange")
    mine = hand_in(course, ME, EARLIER)
    forged = hand_in(course, ME, LATER)
    os.chown(forged, 65534, 65534)
    forged.chmod(0o777)
    with in_process(course) as (watch, _):
        watch.inbox.collect("async")
    at = datetime.fromtimestamp(mine.stat().st_ctime_ns // 1000 / 10**6, UTC).replace(tzinfo=None)
    assert watch.inbox.times("async") == {ME: at}


@pytest.mark.parametrize(
    ("count", "steps"),
    [(3, ("judging",)), pytest.param(40, STEPS, marks=pytest.mark.exhaustive)],
    ids=["at work", "at each step"],
)
def test_killed_all_have_one_score_and_one_feedback_in_the_order_of_the_places_shown(
    course: SmallCourse, count: int, steps: tuple[str, ...]
):
    students = [f"s{number:02}" for number in random.Random(count).sample(range(100), count)]
    for student in students:
        hand_in(course, student, EARLIER, course.solved())
    with open_gradebook(Course(course.root)) as gradebook:  # one that is not served here has no number
        upgrade(gradebook.engine)
        with one_transaction(gradebook) as session:
            named = {"student": "zoe", "assignment": "elsewhere", "work": "", "state": "queued"}
            session.add(QueueEntry(**named, seen_at=datetime(2026, 10, 1), place=1))
    shown: dict[str, str] = {}
    for step in steps:
        killed = course.run(sys.executable, str(KILLED), step, "1" if step == "released" else "2")
        assert killed.returncode == -signal.SIGKILL, (step, killed.stdout, killed.stderr)
        below = next(line for line in killed.stdout.splitlines() if line.startswith("below: "))
        assert left_of(list(map(int, below.split()[1:]))) == [], step
        if step == "judging":
            shown |= {student: news(course, student)[0] for student in students}
            newer = students[-1]
            hand_in(course, newer, LATER, course.solved(double="def double(x):\n    return x * 3"))
    done = course.run(str(BIN / "syncpoint"), "watch", "--once", "--workers", "2")
    assert done.returncode == 0, done.stderr

    right = {student: (4.0, 0.0 if student == newer else 2.0) for student in students}
    assert course.scores() == right and given_back(course) == count
    rows = [row for row in queue(course) if row.assignment == "async"]
    assert sorted(row.student for row in rows) == sorted(students)
    assert {(row.state, row.shown) for row in rows} == {("released", "all")}
    assert [row.student for row in rows] == students  # who came first; the second hand-in had the place of the first
    waits = [f"Your submission is number {place} of {count} in the queue." for place in range(3, count + 1)]
    assert [shown[student] for student in students] == ["Your submission is being graded now."] * 2 + waits


@pytest.mark.exhaustive
def test_a_student_reads_their_place_then_the_feedback_and_nothing_of_others(course: SmallCourse):
    hand_in(course, "ada", EARLIER, course.solved(double="def double(x):\n    return x * 3"))
    hand_in(course, "ben", EARLIER, course.solved())
    speak(course, "ben", "zh_CN")
    assert news(course, "ada")[0].startswith("No status for async")
    private = f"umask 077 && exec {BIN}/syncpoint watch --once --workers 1"  # as its unit has it
    assert course.run("bash", "-c", private).returncode == 0
    assert {path.stat().st_mode & 0o777 for path in (inbound(course).parent / "feedback").iterdir()} == {0o644}
    output, reports = news(course, "ada")
    assert output.startswith("Your submission is graded.") and any("HINT-OF-DOUBLE" in report for report in reports)
    output, reports = news(course, "ben")  # whose notebook is in English, as ada's is
    assert output.startswith("你的作业已经评分。") and any("满分" in report for report in reports)
    assert not any("HINT-OF-DOUBLE" in report for report in reports)
    folder = inbound(course).parent / "feedback"
    assert folder.stat().st_mode & 0o777 == 0o711  # nobody else can list it
    names = [path.name for path in folder.glob("*.json")]
    assert len(names) == 2 and all(re.fullmatch(r"[0-9a-f]{64}\.json", name) for name in names)
    assert not any(student in path.read_text() for path in folder.glob("*.json") for student in ("ada", "ben"))


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("level", "there", "hidden"),
    [
        ("nothing", [], ["TITLE-OF-SMALL", "HINT-OF-DOUBLE"]),
        ("properties", ["TITLE-OF-SMALL"], ["HINT-OF-DOUBLE"]),
        ("no hints", ["TITLE-OF-SMALL", "seen"], ["HINT-OF-DOUBLE"]),
    ],
)
def test_before_the_deadline_the_course_says_what_is_shown_and_afterwards_all(
    course: SmallCourse, level: str, there: list[str], hidden: list[str]
):
    course.configure(f"c.OnSubmission.before_due = {level!r}\n")
    due(course, "2999-01-01 12:00 UTC")
    hand_in(course, "ada", EARLIER, course.solved(double="def double(x):\n    return x * 3"))
    watch_once(course)
    assert given_back(course) == (level != "nothing")
    pages = page(course) + "".join(news(course, "ada")[1])
    assert all(word in pages for word in there) and not any(word in pages for word in hidden)

    due(course, "2026-10-05 12:00 UTC")
    output = watch_once(course)
    assert "feedback released to ada" in output and given_back(course) == 1
    assert "HINT-OF-DOUBLE" in page(course) and "HINT-OF-DOUBLE" in "".join(news(course, "ada")[1])
    assert "feedback released" not in watch_once(course)


def test_a_rule_that_no_page_would_keep_is_refused(course: SmallCourse):
    config = course.root / "nbgrader_config.py"
    config.write_text(config.read_text().replace('    "syncpoint.nbgrader_hooks.feedback_level.LimitFeedback",\n', ""))
    course.configure("c.OnSubmission.before_due = 'nothing'\n")
    done = course.run(str(BIN / "syncpoint"), "watch", "async", "--once")
    assert done.returncode == 1 and "students would see everything" in done.stderr
    hand_in(course, "ada", EARLIER, course.solved())
    assert "students would see everything" in watch_once(course)  # of all that are handed out it is left alone
    assert not (course.root / "submitted").exists()


@pytest.mark.exhaustive
def test_who_has_no_try_left_reads_when_the_next_one_comes_and_loses_nothing(course: SmallCourse):
    (course.root / "grader_tests" / "async" / "assignment.toml").write_text(
        "[on_submission]\nattempts = 1\nspent = 'Read the hint first.'\n"
    )
    hand_in(course, "ada", EARLIER, course.solved(double="def double(x):\n    return x * 3"))
    watch_once(course)
    folder = hand_in(course, "ada", LATER, course.solved())
    assert "feedback released" not in watch_once(course)
    (held,) = [row for row in queue(course) if row.state == "held"]
    assert (
        abs(held.seen_at.replace(tzinfo=UTC).timestamp() - folder.stat().st_ctime) < 0.001
    )  # the disk's clock says it
    at = (held.seen_at + timedelta(hours=1)).replace(tzinfo=UTC).astimezone()
    output = news(course, "ada")[0]
    assert output.startswith("Read the hint first. It is not lost: it will be graded at ")
    assert f"{at:%Y-%m-%d}" in output or f"{at - timedelta(minutes=5):%Y-%m-%d}" in output
    assert course.scores() == {"ada": (4.0, 0.0)}

    due(course, "2000-01-01 12:00 UTC", after=held.seen_at)
    assert "feedback released to ada" in watch_once(course)
    assert course.scores() == {"ada": (4.0, 2.0)}


def test_after_the_deadline_nothing_is_begun_if_the_course_says_so_and_nothing_is_lost(course: SmallCourse):
    course.configure("c.OnSubmission.when_due = 'begun'\n")
    hand_in(course, "ada", EARLIER, course.solved())
    with in_process(course) as (watch, _):
        due(course, "", after=datetime.now(UTC).replace(tzinfo=None))
        for _ in range(2):
            assert watch.look(["async"]) == []
            (row,) = queue(course)
            assert (row.state, row.place, row.tried_at) == ("held", None, None)
            assert news(course, "ada")[0].startswith(
                "The assignment was due before this submission reached the front of the queue."
            )
            with open_gradebook(Course(course.root)) as gradebook, one_transaction(gradebook) as session:
                for one in session.scalars(select(QueueEntry)):  # as if it had had its place when the work was due
                    one.state, one.place, one.tried_at = "queued", 1, datetime(2026, 10, 1)
            watch._waiting = True
    assert (course.root / "submitted" / "ada" / "async" / "work.ipynb").is_file()


def test_what_was_begun_before_the_deadline_is_graded_whatever_goes_wrong_and_whoever_watches_then(course: SmallCourse):
    course.configure("c.OnSubmission.when_due = 'begun'\n")
    due(course, "2999-01-01 12:00 UTC")
    hand_in(course, "ada", EARLIER, course.solved())
    in_the_way = course.root / "autograded" / "ada"
    in_the_way.parent.mkdir()
    in_the_way.touch()
    with in_process(course) as (watch, _):
        assert watch.look(["async"]) == []
        assert news(course, "ada")[0].startswith("We hit a problem while grading")
        due(course, "2026-10-05 12:00 UTC")
        watch._waiting = True
        assert watch.look(["async"]) == []
        (row,) = queue(course)
        assert row.state == "judging" and row.place is not None and row.tried_at is not None
    in_the_way.unlink()
    with in_process(course) as (watch, _):
        assert watch.look(["async"]) == [("async", "ada")]
    assert course.scores() == {"ada": (4.0, 2.0)}


@pytest.mark.exhaustive
def test_300_hand_ins_within_ten_minutes_are_graded_within_the_hour(course: SmallCourse):
    """Paced by a clock, as people are; nothing waits for it but the next one who hands in."""
    command = [str(BIN / "syncpoint"), "watch", "async", "--workers", "2"]
    began = time.monotonic()
    with (course.root / "watch.log").open("w") as log:
        watching = subprocess.Popen(command, cwd=course.root, env=environment(), stdout=log, stderr=log)
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
    assert done.returncode == 1 and "steps was not released" in done.stderr and "Traceback" not in done.stderr
