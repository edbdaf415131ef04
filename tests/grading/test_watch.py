"""`syncpoint watch`: whoever hands in is graded and has the feedback, once, whenever it is killed and started again."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from classroom import BIN, SmallCourse
from exchange import EARLIER, LATER, hand_in, inbound, with_exchange

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]
PATIENCE = 180.0  # seconds, on a busy machine


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


@pytest.mark.parametrize(
    "step",
    [
        "autograded",
        pytest.param("submitted", marks=pytest.mark.exhaustive),
        pytest.param("feedback", marks=pytest.mark.exhaustive),
    ],
)
def test_killed_at_a_step_and_started_again_there_is_one_score_and_one_feedback(course: SmallCourse, step: str):
    for student in ("ada", "ben"):
        hand_in(course, student, EARLIER, course.solved())
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
    command = [str(BIN / "syncpoint"), "watch", "async", "--every", "0.1"]
    with (course.root / "watch.log").open("w") as log:
        watching = subprocess.Popen(
            command, cwd=course.root, env=environment, stdout=log, stderr=log, start_new_session=True
        )
        ends = time.monotonic() + PATIENCE
        while not list((course.root / step).glob("*/async/work.*")):
            assert watching.poll() is None and time.monotonic() < ends, (course.root / "watch.log").read_text()
            time.sleep(0.005)
        os.killpg(watching.pid, signal.SIGKILL)
        watching.wait()
    watch_once(course)
    assert course.scores() == {"ada": (4.0, 2.0), "ben": (4.0, 2.0)} and given_back(course) == 2


def test_an_assignment_that_was_not_handed_out_is_one_sentence(course: SmallCourse):
    done = course.run(str(BIN / "syncpoint"), "watch", "steps", "--once")
    assert done.returncode == 1 and "steps was not handed out" in done.stderr and "Traceback" not in done.stderr
