"""Group work in the queue: each member gets the page with their own mark, whoever of them submits, and nobody else."""

from pathlib import Path

import pytest
from exchange import EARLIER, LATER, given_back, hand_in, news, page_of, with_exchange
from plain_class import WRONG, PlainCourse

pytestmark = [pytest.mark.engine, pytest.mark.sandbox, pytest.mark.slow]
ROSTER = "id,group\nada,g1\nbob,g1\ncy,g1\ndora,g2\neve,\n"
FULL, NONE = (2.0, 3.0), (0.0, 0.0)
OF_ADA = "ada submitted this work for your group."


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, plain_engine: Path) -> PlainCourse:
    course = PlainCourse.make(tmp_path_factory.mktemp("groups") / "course", "c.ExchangeCollect.check_owner = False\n")
    course.settings("groups = true\n")
    (course.root / "roster.csv").write_text(ROSTER)
    course.syncpoint("roster", "roster.csv")
    return course


@pytest.fixture
def course(made: PlainCourse, tmp_path: Path) -> PlainCourse:
    copy = made.copy(tmp_path / "course")
    return with_exchange(copy, tmp_path / "exchange")


def watch(course: PlainCourse) -> str:
    return course.syncpoint("watch", "--once", "--workers", "1")


def test_a_partner_who_has_submitted_gets_the_new_page_of_each_submission_of_the_group(course: PlainCourse):
    hand_in(course, "bob", EARLIER, course.release())
    hand_in(course, "dora", EARLIER, course.release())
    watch(course)
    assert OF_ADA not in page_of(course, "bob")

    hand_in(course, "ada", EARLIER, course.solved())
    output = watch(course)
    assert "feedback released to ada" in output and "feedback released to bob" in output
    assert course.scores() == {"ada": FULL, "bob": FULL, "cy": FULL, "dora": NONE}
    assert OF_ADA in page_of(course, "bob") and OF_ADA not in page_of(course, "ada") + page_of(course, "dora")
    assert OF_ADA in "".join(news(course, "bob")[1])
    assert given_back(course) == 3  # who has submitted nothing has no place where the exchange could put a page

    hand_in(course, "ada", LATER, course.solved(**WRONG))
    watch(course)
    assert course.scores() == dict.fromkeys(["ada", "bob", "cy", "dora"], NONE)
    assert page_of(course, "ada", LATER) and OF_ADA in page_of(course, "bob")
    assert given_back(course) == 4


def test_a_partner_who_submits_the_unchanged_notebook_afterwards_gets_the_page(course: PlainCourse):
    hand_in(course, "ada", EARLIER, course.solved())
    watch(course)
    assert course.scores() == {"ada": FULL, "bob": FULL, "cy": FULL} and given_back(course) == 1
    assert "If a partner submitted it for your group, submit the unchanged notebook" in news(course, "cy")[0]
    hand_in(course, "cy", LATER, course.release())
    assert "feedback released to cy" in watch(course)
    assert course.scores() == {"ada": FULL, "bob": FULL, "cy": FULL}
    assert OF_ADA in page_of(course, "cy", LATER) and given_back(course) == 2


def test_all_who_submit_at_once_get_the_page_of_the_work(course: PlainCourse):
    for student in ("bob", "cy", "eve"):
        hand_in(course, student, EARLIER, course.release())
    hand_in(course, "ada", LATER, course.solved())
    watch(course)
    assert course.scores() == {"ada": FULL, "bob": FULL, "cy": FULL, "eve": NONE}
    assert OF_ADA in page_of(course, "bob") and OF_ADA in page_of(course, "cy") and OF_ADA not in page_of(course, "eve")


def test_who_is_no_partner_any_more_gets_nothing_of_the_groups_newer_work(course: PlainCourse):
    hand_in(course, "bob", EARLIER, course.release())
    hand_in(course, "ada", EARLIER, course.solved())
    watch(course)
    before = page_of(course, "bob")
    (course.root / "roster.csv").write_text(ROSTER.replace("bob,g1", "bob,g2"))
    course.syncpoint("roster", "roster.csv")
    hand_in(course, "ada", LATER, course.solved(**WRONG))
    assert "released to bob" not in watch(course)
    assert page_of(course, "bob") == before and course.scores()["bob"] == FULL


def test_released_by_nbgrader_each_member_gets_the_page_under_their_own_secret(course: PlainCourse):
    for student, work in (("ada", course.solved()), ("bob", course.release()), ("eve", course.release())):
        hand_in(course, student, EARLIER, work)
    assert course.nbgrader("collect", "async").returncode == 0
    course.syncpoint("grade", "async")
    course.syncpoint("feedback", "--all", "async")
    done = course.nbgrader("release_feedback", "async")
    assert "released the feedback of ada, bob, eve." in done.stderr
    assert (
        "not released: the feedback of cy, who submitted nothing themselves. If they submit the unchanged"
        in done.stderr
    )
    assert OF_ADA in page_of(course, "bob") and OF_ADA not in page_of(course, "ada") + page_of(course, "eve")
    assert OF_ADA in course.feedback_text("cy") and given_back(course) == 3

    hand_in(course, "cy", LATER, course.release())
    assert course.nbgrader("collect", "async").returncode == 0
    course.syncpoint("grade", "async")
    course.syncpoint("feedback", "--all", "async")
    course.nbgrader("release_feedback", "async")
    assert OF_ADA in page_of(course, "cy", LATER) and given_back(course) == 4
