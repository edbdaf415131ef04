"""The queue of work that is graded on submission: places, attempts that come back, quotas, and the deadline."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import create_engine, select
from sqlalchemy.orm import Session

from syncpoint.course.assignment import read_assignment
from syncpoint.course.on_submission import Rules, Still
from syncpoint.records.queue import (
    HELD,
    JUDGING,
    QUEUED,
    RELEASED,
    REPLACED,
    WRITTEN,
    Wait,
    close,
    enter,
    judge_again,
    let_in,
    open_ones,
    places,
    replace_older,
    wait_of,
)
from syncpoint.records.tables import Base, QueueEntry
from syncpoint.watch.notes import held
from syncpoint.watch.progress import MIN_INTERVALS, Pace

NOON = datetime(2026, 10, 1, 12)
MINUTE = timedelta(minutes=1)
RULES = Rules(attempts=2, refill_minutes=10, quota=4)


@pytest.fixture
def session() -> Iterator[Session]:
    engine = create_engine("sqlite://")
    Base.metadata.create_all(engine)
    with Session(engine) as session:
        yield session


def come(
    session: Session,
    student: str,
    now: datetime,
    rules: Rules = RULES,
    due: datetime | None = None,
    finish: bool = False,
) -> QueueEntry:
    """A student hands in, and whoever may be is let in; ``finish``: it is graded at once."""
    found = enter(session, student, "async", f"{student} {now}", "", now)
    assert found is not None
    time_goes_on(session, now, rules, due)
    if finish and found[0].state == QUEUED:
        found[0].state, found[0].shown = RELEASED, "all"
    return found[0]


def time_goes_on(session: Session, now: datetime, rules: Rules = RULES, due: datetime | None = None) -> None:
    close(open_ones(session), lambda assignment: rules, lambda one: due, now)
    waiting = [one for one in open_ones(session) if one.place is None]
    let_in(session, waiting, lambda assignment: rules, lambda one: due, now)


def in_queue(session: Session) -> list[str]:
    ones = open_ones(session)
    number = places(ones)
    return [one.student for one in sorted((one for one in ones if one.id in number), key=lambda one: number[one.id])]


def test_who_comes_first_is_first_and_a_second_hand_in_takes_the_place_of_the_first(session: Session):
    first = come(session, "ada", NOON)
    come(session, "ben", NOON + MINUTE)
    again = come(session, "ada", NOON + 2 * MINUTE)
    assert again is first and again.work == f"ada {NOON + 2 * MINUTE}"
    assert in_queue(session) == ["ada", "ben"] and len(session.scalars(select(QueueEntry)).all()) == 2
    assert again.tried_at == NOON  # it was one attempt


def test_work_that_is_judged_is_not_replaced(session: Session):
    come(session, "ada", NOON).state = WRITTEN
    come(session, "ben", NOON)
    come(session, "ada", NOON + MINUTE)
    assert in_queue(session) == ["ada", "ben", "ada"]


def test_newer_work_takes_the_place_of_what_was_begun_in_vain_and_is_not_begun(session: Session):
    first = come(session, "ada", NOON)
    first.state = JUDGING
    come(session, "ben", NOON)
    again = come(session, "ada", NOON + MINUTE)
    assert in_queue(session) == ["ada", "ben"]
    assert again is first and (again.state, again.tried_at) == (QUEUED, NOON)  # one attempt


def test_partners_of_a_group_are_judged_again_in_their_places_and_take_no_attempt(session: Session):
    come(session, "ada", NOON, finish=True)
    ben = come(session, "ben", NOON, finish=True)
    held = [come(session, "cy", NOON + n * MINUTE, finish=True) for n in range(3)][-1]
    assert held.state == HELD
    waiting = come(session, "dora", NOON)
    assert judge_again(session, ["ben", "cy", "dora", "nobody"], "async", 9) == {"ben", "cy", "dora"}
    assert (ben.state, ben.place, ben.shown, ben.tried_at) == (JUDGING, 2, "", NOON)
    assert (held.state, held.place, held.tried_at) == (JUDGING, 9, None)
    assert waiting.state == QUEUED
    assert in_queue(session) == ["ben", "dora", "cy"]


def test_the_same_work_is_entered_once(session: Session):
    come(session, "ada", NOON)
    assert enter(session, "ada", "async", f"ada {NOON}", "", NOON + MINUTE) is None


def test_tries_come_back_one_by_one_and_what_came_too_soon_is_graded_then(session: Session):
    assert [come(session, "ada", NOON + n * MINUTE, finish=True).state for n in range(2)] == [RELEASED, RELEASED]
    third = come(session, "ada", NOON + 2 * MINUTE)
    assert third.state == HELD and third.place is None
    assert wait_of(session, third, RULES, None, NOON + 2 * MINUTE) == Wait("attempts", NOON + 10 * MINUTE)
    newer = come(session, "ada", NOON + 3 * MINUTE)
    assert newer is third  # it waits in its stead
    time_goes_on(session, NOON + 9 * MINUTE)
    assert third.state == HELD
    time_goes_on(session, NOON + 10 * MINUTE)
    assert third.state == QUEUED and third.tried_at == NOON + 10 * MINUTE


def test_who_has_waited_long_has_all_tries_again_and_not_more():
    rules = Rules(attempts=3, refill_minutes=10)
    tried = [NOON, NOON + MINUTE, NOON + 2 * MINUTE]
    assert rules.next_attempt(tried, NOON + 3 * MINUTE) == NOON + 10 * MINUTE
    much_later = NOON + 1000 * MINUTE
    assert rules.next_attempt([*tried, *[much_later] * 2], much_later) is None
    assert rules.next_attempt([*tried, *[much_later] * 3], much_later) == much_later + 10 * MINUTE
    assert Rules().next_attempt([NOON] * 100, NOON) is None


def test_each_has_their_own_tries(session: Session):
    for student in ("ada", "ben"):
        assert [come(session, student, NOON + n * MINUTE, finish=True).state for n in range(2)] == [RELEASED] * 2


def test_the_quota_holds_until_the_deadline_and_then_everything_that_came_before_is_graded(session: Session):
    due = NOON + 500 * MINUTE
    for n in range(4):
        assert come(session, "ada", NOON + 100 * n * MINUTE, due=due, finish=True).state == RELEASED
    held = come(session, "ada", NOON + 450 * MINUTE, due=due)
    spent = come(session, "ben", NOON, due=due, finish=True)
    assert spent.state == RELEASED
    time_goes_on(session, due - MINUTE, due=due)
    assert held.state == HELD and wait_of(session, held, RULES, due, due - MINUTE) == Wait("quota", due)
    time_goes_on(session, due, due=due)
    assert held.state == QUEUED


def test_without_a_deadline_nothing_frees_what_is_over_the_quota(session: Session):
    rules = Rules(quota=1)
    come(session, "ada", NOON, rules, finish=True)
    held = come(session, "ada", NOON + MINUTE, rules)
    assert wait_of(session, held, rules, None, NOON + 10**6 * MINUTE) == Wait("quota")


def test_a_full_queue_at_the_deadline_loses_no_submission(session: Session):
    due, rules = NOON + 5 * MINUTE, Rules(attempts=1, refill_minutes=10)
    for n in range(30):
        come(session, f"student {n}", NOON, rules, due, finish=True)
        come(session, f"student {n}", NOON + MINUTE, rules, due)
    assert in_queue(session) == []
    time_goes_on(session, due, rules, due)
    assert in_queue(session) == [f"student {n}" for n in range(30)]


@pytest.mark.parametrize(
    ("when_due", "graded"),
    [
        ("all", ["begun", "queued", "held", "free", "late"]),
        ("queued", ["begun", "queued", "free"]),
        ("begun", ["begun"]),
    ],
)
def test_the_course_says_what_of_a_full_queue_is_graded_at_the_deadline(
    session: Session, when_due: Still, graded: list[str]
):
    due, rules = NOON + 5 * MINUTE, Rules(attempts=1, refill_minutes=60, when_due=when_due)
    come(session, "held", NOON, rules, due, finish=True)
    spent = come(session, "held", NOON + MINUTE, rules, due)
    come(session, "begun", NOON, rules, due).state = JUDGING
    come(session, "queued", NOON + MINUTE, rules, due)
    reported = Wait("attempts", due if when_due == "all" else None)
    assert wait_of(session, spent, rules, due, due - MINUTE) == reported  # what a student reads comes true
    # Between two looks: one came before the deadline and had an attempt, one came later.
    for student, seen_at in (("free", due - MINUTE), ("late", due)):
        assert enter(session, student, "async", "", "", seen_at)
    time_goes_on(session, due + MINUTE, rules, due)
    assert in_queue(session) == graded
    left = [one for one in open_ones(session) if one.state == HELD]
    assert len(left) == 5 - len(graded)  # nothing is lost
    for one in left:
        assert wait_of(session, one, rules, due, due + MINUTE) == Wait("late" if one.student == "late" else "closed")
    longer = due + 500 * MINUTE
    time_goes_on(session, due + 100 * MINUTE, rules, longer)
    assert sorted(in_queue(session)) == ["begun", "free", "held", "late", "queued"]


def test_newer_work_that_is_graded_takes_the_place_of_what_is_shown_and_of_nobody_elses(session: Session):
    older, newer, other = (come(session, name, NOON + n * MINUTE) for n, name in enumerate(("ada", "ben", "cleo")))
    for one in (older, newer, other):
        one.state, one.shown = RELEASED, "properties"
    newer.student, newer.shown = "ada", ""
    session.flush()
    replace_older(session, newer)
    assert [one.state for one in (older, newer, other)] == [REPLACED, RELEASED, RELEASED]


def test_how_much_is_shown_depends_on_the_due_date_and_without_one_nothing_is_over():
    rules = Rules(before_due="properties")
    assert rules.shown(NOON, NOON - MINUTE) == "properties" and rules.shown(NOON, NOON) == "all"
    assert rules.shown(None, NOON) == "properties"


@pytest.mark.parametrize(
    ("rules", "wait", "output"),
    [
        (
            Rules(),
            Wait("attempts", NOON),
            "You have no attempts left at the moment. It is not lost: it will be graded at",
        ),
        (Rules(quota=4), Wait("quota", NOON), "You have used all 4 attempts. It is not lost: it will be graded at"),
        (Rules(quota=4), Wait("quota"), "You have used all 4 attempts. It is not lost: it will be graded when the"),
        (Rules(spent="Read, {then} try."), Wait("attempts", NOON), "Read, {then} try. It is not lost: it"),
        (
            Rules(when_due="queued"),
            Wait("attempts"),
            "You have no attempts left at the moment. It is not lost, but it is not",
        ),
        (Rules(when_due="begun", spent="No."), Wait("closed"), "The assignment was due before this submission"),
        (Rules(when_due="begun", spent="No."), Wait("late"), "This submission arrived after the due date. It"),
    ],
)
def test_who_waits_reads_why_in_the_courses_words_and_what_becomes_of_the_work(rules: Rules, wait: Wait, output: str):
    assert " ".join(map(str, held(wait, rules))).startswith(output)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("on_submission = 3", "on_submission must be a table"),
        ("[on_submission]\nattempt = 3", "unknown setting on_submission.attempt"),
        ("[on_submission]\nattempts = -1", "on_submission.attempts must be a whole number"),
        ("[on_submission]\nrefill_minutes = 0", "on_submission.refill_minutes must be a number above 0"),
        ('[on_submission]\nbefore_due = "hints"', "on_submission.before_due must be one of"),
        ('[on_submission]\nwhen_due = "none"', "on_submission.when_due must be one of 'all', 'queued', 'begun'"),
        ("[on_submission]\nspent = 3", "on_submission.spent must be a text"),
    ],
)
def test_an_invalid_setting_is_reported_in_one_sentence(tmp_path: Path, text: str, wrong: str):
    (tmp_path / "assignment.toml").write_text(text)
    with pytest.raises(ValueError, match=wrong):
        read_assignment(tmp_path / "assignment.toml")


def test_the_expected_time_is_that_of_the_places_before_at_the_measured_rate():
    pace = Pace()
    for now in range(MIN_INTERVALS):
        pace.graded(3.0 * now, others_wait=True)
    assert pace.seconds(1) is None  # too few intervals yet
    pace.graded(3.0 * MIN_INTERVALS, others_wait=True)
    assert pace.seconds(1) == 3.0 and pace.seconds(10) == 30.0


@pytest.mark.parametrize(
    "idle", [lambda pace: pace.pause(), lambda pace: pace.graded(3.0 * MIN_INTERVALS + 3.0, False)]
)
def test_time_in_which_nobody_waited_does_not_count(idle):
    pace = Pace()
    for now in range(MIN_INTERVALS + 1):
        pace.graded(3.0 * now, others_wait=True)
    idle(pace)
    pace.graded(1e6, others_wait=True)
    pace.graded(1e6 + 3.0, others_wait=True)
    assert pace.seconds(1) == 3.0
