"""Marks and rosters by LTI, against a small platform of the tests' own: real requests, signed as on a real one."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lms_platform import TEACHER, Platform, running_platform
from marked_class import PEOPLE, MarkedClass
from nbgrader.api import Gradebook
from sqlalchemy import text

from syncpoint.lms import keys, send, session
from syncpoint.lms.lti import SCORE
from syncpoint.lms.registration import Registration, learn
from syncpoint.records.student_details import student_ids

LINK = "https://hub.school.example/hub/lti13/course/autumn/hw"


@pytest.fixture
def platform() -> Iterator[Platform]:
    with running_platform() as platform:
        for name in PEOPLE:
            platform.add(f"u-{name}", name, name.title(), "Test")
        yield platform


@pytest.fixture
def marked(tmp_path: Path, platform: Platform, monkeypatch: pytest.MonkeyPatch) -> MarkedClass:
    """A class that knows the platform, as after a launch."""
    monkeypatch.setattr(session, "PATIENCE", session.PATIENCE.new(backoff_factor=0))
    marked = MarkedClass(tmp_path / "autumn", "lti")
    know(marked, platform)
    platform.tool_keys = lambda: keys.published(keys.read_keys(marked.course))
    return marked


def know(marked: MarkedClass, platform: Platform, **changed: Any) -> None:
    about = {
        "issuer": platform.url,
        "client_id": platform.client_id,
        "deployment_id": platform.deployment_id,
        "token_url": f"{platform.url}/token",
        "context_id": platform.context_id,
        "user": "ext.user_username",
        "memberships": f"{platform.url}/members",
        "line_items": f"{platform.url}/columns",
        "columns": {"hw": {platform.column("hw"): "link-hw"}},
        "links": {"hw": LINK},
    }
    learn(marked.course, Registration(**{**about, **changed}))


def marks(platform: Platform) -> dict[str, float | None]:
    return {user: one.get("resultScore") for user, one in platform.results.get("hw", {}).items()}


def test_a_dry_run_shows_what_would_change_and_sends_nothing(marked: MarkedClass, platform: Platform):
    status, printed = marked.run("send-marks", "hw")
    assert status == 0 and platform.scores == []
    assert printed.splitlines() == [
        "new        ada: 10 of 10",
        "new        ben: 4 of 10",
        "waits      cy: an answer has not been read yet",
        "nothing    dora, eve: nothing to send",
        "Nothing was sent. `syncpoint send-marks hw --send` sends 2 marks.",
    ]


def test_before_marks_of_groups_are_sent_it_says_whom_each_mark_is_for(marked: MarkedClass, platform: Platform):
    folder = marked.course.root / "grader_tests" / "hw"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "assignment.toml").write_text("groups = true\n")
    for sending in (marked.run("send-marks", "hw"), marked.send()):
        line, *rest = sending[1].splitlines()
        assert line.startswith("hw is group work: each member's own mark is sent for that member alone. On Canvas,")
        assert rest[:2] == ["new        ada: 10 of 10", "new        ben: 4 of 10"]
    assert marks(platform) == {"u-ada": 10, "u-ben": 4}


def test_marks_arrive_with_penalty_comment_and_link_and_only_once(marked: MarkedClass, platform: Platform):
    status, printed = marked.send()
    assert (status, "sent       ada" in printed) == (0, True)
    assert marks(platform) == {"u-ada": 10, "u-ben": 4}
    score = platform.results["hw"]["u-ben"]
    assert score["comment"] == f"4 of 10 points. Your feedback: {LINK}" and score["resultMaximum"] == 10
    assert marked.send()[1].splitlines()[0] == "waits      cy: an answer has not been read yet"
    assert len(platform.scores) == 2


def test_a_mark_is_sent_again_after_a_regrade_and_a_lower_one_is_said(marked: MarkedClass, platform: Platform):
    marked.send()
    marked.mark("ada", 6.0, 3.0)
    marked.mark("ben", 6.0, 2.0)
    assert marked.run("send-marks", "hw")[1].splitlines()[:2] == [
        "lower      ada: 10 -> 9 of 10",
        "changed    ben: 4 -> 8 of 10",
    ]
    marked.send()
    assert marks(platform) == {"u-ada": 9, "u-ben": 8}


def test_a_course_may_hold_lower_marks(marked: MarkedClass, platform: Platform):
    marked.send()
    marked.configure('c.SendMarks.lower = "hold"')
    marked.mark("ada", 6.0, 3.0)
    status, printed = marked.send()
    assert status == 0 and "held       ada: 10 -> 9 of 10 is lower; --overwrite sends it" in printed
    assert marks(platform)["u-ada"] == 10
    marked.send("--overwrite")
    assert marks(platform)["u-ada"] == 9


def test_what_a_teacher_entered_on_the_platform_stays(marked: MarkedClass, platform: Platform):
    marked.send()
    platform.results["hw"]["u-ada"]["resultScore"] = 7.5
    marked.mark("ada", 6.0, 3.0)
    assert "held       ada: the platform has 7.5, which was not sent from here; --overwrite" in marked.send()[1]
    assert marks(platform)["u-ada"] == 7.5
    marked.send("--overwrite")
    assert marks(platform)["u-ada"] == 9


@pytest.mark.parametrize("status", [429, 500, 503])
def test_an_overloaded_platform_is_asked_again(marked: MarkedClass, platform: Platform, status: int):
    tries = Counter[str]()

    def refuse(path: str, body: str) -> tuple[int, dict[str, str]] | None:
        tries[f"{path} {body}"] += 1
        return (status, {"Retry-After": "0"}) if tries[f"{path} {body}"] < 3 else None

    platform.refuse = refuse
    assert marked.send()[0] == 0 and marks(platform) == {"u-ada": 10, "u-ben": 4}


def test_one_student_who_fails_stops_nobody_and_is_sent_next_time(marked: MarkedClass, platform: Platform):
    platform.refuse = lambda path, body: (403, {}) if "u-ada" in body else None
    status, printed = marked.send()
    assert status == 1 and marks(platform) == {"u-ben": 4}
    assert "failed     ada: " in printed and "answered 403" in printed and "sent       ben" in printed
    platform.refuse = lambda path, body: None
    assert marked.send()[0] == 0 and [score["userId"] for score in platform.scores] == ["u-ben", "u-ada"]


def test_a_platform_that_stops_answering_ends_the_run_and_the_next_one_goes_on(
    marked: MarkedClass, platform: Platform, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(send, "GIVE_UP", 1)
    platform.refuse = lambda path, body: (503, {}) if "u-ben" in body else None
    status, printed = marked.send()
    assert status == 1 and "Run the command again: it continues here." in printed and marks(platform) == {"u-ada": 10}
    platform.refuse = lambda path, body: None
    marked.send()
    assert [score["userId"] for score in platform.scores] == ["u-ada", "u-ben"]


def test_a_run_that_was_killed_behind_the_request_goes_on_even_after_a_regrade(
    marked: MarkedClass, platform: Platform, monkeypatch: pytest.MonkeyPatch
):
    def killed(gradebook: Gradebook, number: int) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(send, "took", killed)
        assert marked.send()[0]
    assert marks(platform) == {"u-ada": 10}
    marked.mark("ada", 6.0, 3.0)
    assert "lower      ada: 10 -> 9 of 10" in marked.send()[1]
    assert marks(platform) == {"u-ada": 9, "u-ben": 4}


def test_an_answer_that_was_lost_is_no_failure(marked: MarkedClass, platform: Platform):
    taken = Counter[str]()

    def refuse(path: str, body: str) -> tuple[int, dict[str, str]] | None:
        if "u-ada" in body and not taken[path]:
            taken[path] += 1
            platform.take("hw", json.loads(body))
            return 503, {"Retry-After": "0"}
        return None

    platform.refuse = refuse
    assert marked.send()[0] == 0 and marks(platform) == {"u-ada": 10, "u-ben": 4}
    assert [score["userId"] for score in platform.scores] == ["u-ada", "u-ben"]


def test_without_the_right_to_read_marks_the_log_says_what_was_sent(marked: MarkedClass, platform: Platform):
    platform.scopes = SCORE
    marked.send()
    marked.send()
    assert len(platform.scores) == 2 and not platform.seen["GET /columns/hw/results"]
    marked.mark("ada", 6.0, 3.0)
    assert "lower      ada: 10 -> 9 of 10" in marked.send()[1] and marks(platform)["u-ada"] == 9


def test_an_excuse_takes_the_mark_back_and_ungraded_work_is_left(marked: MarkedClass, platform: Platform):
    marked.send()
    assert marked.run("excuse", "ada", "hw", "--because", "ill")[0] == 0
    assert "taken back ada: excused" in marked.send()[1]
    assert marks(platform) == {"u-ada": None, "u-ben": 4}
    assert platform.scores[-1]["gradingProgress"] == "NotReady" and "scoreGiven" not in platform.scores[-1]
    marked.send()
    assert len(platform.scores) == 3


def test_a_student_without_an_id_of_their_own_gets_no_mark(marked: MarkedClass, platform: Platform):
    with marked.gradebook() as gradebook:
        gradebook.db.execute(text("UPDATE syncpoint_student_ids SET value='u-ben'"))
        gradebook.db.commit()
    status, printed = marked.send()
    assert status == 1 and platform.scores == []
    assert "unmatched  ada: the roster has no lti for this student" in printed


def test_a_tool_whose_key_the_platform_does_not_know_gets_no_token(marked: MarkedClass, platform: Platform):
    platform.tool_keys = lambda: {"keys": [{**platform.keys[0].as_dict(private=False)}]}
    status, printed = marked.send()
    assert status == 1 and "gives no access token" in printed and "Traceback" not in printed


def test_an_expired_access_token_is_renewed(marked: MarkedClass, platform: Platform):
    platform.lifetime = 30  # less than the reserve that is kept
    assert marked.send()[0] == 0 and platform.seen["POST /token"] > 2


def test_a_list_that_goes_on_elsewhere_does_not_get_the_token(marked: MarkedClass, platform: Platform):
    platform.next_page = lambda url: url.replace("127.0.0.1", "localhost")
    status, printed = marked.run("roster", "--lti")
    assert status == 1 and "continues on another server" in printed


def test_a_second_link_of_an_assignment_is_not_guessed_away(marked: MarkedClass, platform: Platform):
    know(marked, platform, columns={"hw": {platform.column("copy"): "link-copy"}})
    status, printed = marked.send()
    assert status == 1 and "hw has several links on the platform" in printed and platform.scores == []


# --- the course total ---


def test_a_link_that_was_changed_to_another_assignment_sends_no_mark_of_either(marked: MarkedClass, platform: Platform):
    know(marked, platform, columns={"other": {platform.column("hw"): "link-hw"}})
    status, printed = marked.send()
    assert status == 1 and "hw, other have the same column" in printed and not platform.scores


def test_two_commands_do_not_send_at_the_same_time(marked: MarkedClass, platform: Platform):
    with send.sending(marked.course):
        status, printed = marked.send()
        assert status == 1 and "another command is sending marks" in printed and not platform.scores
        assert marked.run("send-marks", "hw")[0] == 0  # a look
    assert marked.send()[0] == 0


def test_totals_go_to_a_column_that_is_made_once_and_only_if_they_are_final(marked: MarkedClass, platform: Platform):
    marked.configure('c.CourseTotal.weights = {"hw": 1}')
    status, printed = marked.run("send-marks")
    assert status == 0 and platform.line_items == []
    assert printed.splitlines() == [
        "new        ada: 100 of 100",
        "new        ben: 40 of 100",
        "waits      cy: the total is not final: something is unmarked or can still be submitted",
        "waits      eve: the total is not final: something is unmarked or can still be submitted",
        "nothing    dora: nothing to send",
        "Nothing was sent. `syncpoint send-marks --send` sends 2 marks.",
    ]
    assert marked.run("send-marks", "--send")[0] == 0
    (column,) = platform.line_items
    assert column["scoreMaximum"] == 100 and column["label"] == "Syncpoint: course total"
    assert {user: one["resultScore"] for user, one in platform.results["made1"].items()} == {"u-ada": 100, "u-ben": 40}
    assert platform.results["made1"]["u-ben"]["comment"] == "The whole course so far: 40%."
    marked.mark("ada", 6.0, 3.0)
    assert "lower      ada: 100 -> 90 of 100" in marked.run("send-marks", "--send")[1]
    assert len(platform.line_items) == 1 and len(platform.scores) == 3 and "hw" not in platform.results


def test_without_rules_there_is_no_total_to_send(marked: MarkedClass, platform: Platform):
    status, printed = marked.run("send-marks", "--send")
    assert status == 1 and "there is no course total: set c.CourseTotal" in printed and not platform.seen


def test_two_columns_for_the_total_or_no_right_to_make_one_are_one_sentence(marked: MarkedClass, platform: Platform):
    marked.configure('c.CourseTotal.weights = {"hw": 1}')
    platform.refuse = lambda path, body: (403, {}) if path == "/columns" and body else None
    status, printed = marked.run("send-marks", "--send")
    assert status == 1 and "/columns answered 403" in printed and printed.count("\n") == 1
    platform.line_items = [{"id": platform.column(name), "tag": "syncpoint-total"} for name in ("a", "b")]
    status, printed = marked.run("send-marks", "--send")
    assert status == 1 and "several columns for the course total" in printed
    platform.line_items = [{"id": "http://127.0.0.1:1/columns/a", "tag": "syncpoint-total"}]
    status, printed = marked.run("send-marks", "--send")
    assert status == 1 and "on another server" in printed and platform.scores == []


def test_what_a_platform_cuts_off_above_the_maximum_is_not_sent_again(marked: MarkedClass, platform: Platform):
    marked.mark("ada", 6.0, 6.0)  # two points more than there are
    marked.send()
    platform.results["hw"]["u-ada"]["resultScore"] = 10
    assert "same       ada, ben: unchanged" in marked.send()[1] and len(platform.scores) == 2
    marked.mark("ada", 6.0, 3.0)
    assert "lower      ada: 10 -> 9 of 10" in marked.send()[1]


def test_an_address_that_others_can_read_is_not_learned(marked: MarkedClass, platform: Platform):
    with pytest.raises(session.SyncpointError, match="https://"):
        know(marked, platform, memberships="http://lms.school.example/members")


# --- keys ---


def test_a_key_is_published_before_it_signs(marked: MarkedClass, platform: Platform):
    known = keys.published(keys.read_keys(marked.course))  # a copy that the platform keeps
    platform.tool_keys = lambda: known
    status, printed = marked.run("lti-keys", "--rotate")
    assert status == 0 and known["keys"][1]["kid"] in printed and known["keys"][0]["kid"] not in printed
    assert marked.send()[0] == 0 and len(platform.scores) == 2
    assert '"d"' not in printed  # the private part


def test_a_key_that_others_can_read_is_refused(marked: MarkedClass, platform: Platform):
    keys.read_keys(marked.course)
    file = keys.folder(marked.course) / "keys.json"
    assert file.stat().st_mode & 0o777 == 0o600
    file.chmod(0o640)
    status, printed = marked.send()
    assert status == 1 and f"chmod 600 {file}" in printed and platform.seen["POST /token"] == 0


# --- the roster ---


def test_the_roster_has_the_students_by_what_the_hub_calls_them(
    tmp_path: Path, marked: MarkedClass, platform: Platform
):
    platform.add("u-fay", "fay", "Fay", "Test")
    platform.add("u-gus", "gus", "Gus", "Test", status="Inactive")
    platform.add("u-ines", "ines", "Ines", "Teacher", TEACHER)
    status, printed = marked.run("roster", "--lti")
    assert status == 0 and "added    fay" in printed
    with marked.gradebook() as gradebook:
        assert {student.id for student in gradebook.students} == {*PEOPLE, "fay"}
        assert student_ids(gradebook.db())["fay"] == {"login": "fay", "lti": "u-fay"}
    assert "0 added, 0 changed" in marked.run("roster", "--lti")[1]


def test_without_names_only_an_exact_id_counts_and_never_an_email_address(marked: MarkedClass, platform: Platform):
    know(marked, platform, user="lis.person_sourcedid")
    platform.members.clear()
    platform.add("v-ada", "ada", "Ada", "Test")
    platform.add("v-ben", "somebody", "Ben", "Test", email="ben@school.example")
    with marked.gradebook() as gradebook:
        gradebook.find_student("ben").email = "ben@school.example"
        gradebook.db.execute(text("DELETE FROM syncpoint_student_ids"))
        gradebook.db.commit()
    assert marked.run("roster", "--lti")[0] == 0
    with marked.gradebook() as gradebook:
        assert student_ids(gradebook.db()) == {"ada": {"login": "ada", "lti": "v-ada"}}


def test_a_user_name_that_went_to_another_person_is_refused(marked: MarkedClass, platform: Platform):
    platform.members[0]["user_id"] = "u-somebody-else"
    status, printed = marked.run("roster", "--lti")
    assert status == 1 and "ada had the LTI id 'u-ada' before" in printed


def test_an_odd_answer_is_one_sentence(marked: MarkedClass, platform: Platform):
    platform.members[0] = {"roles": None}
    status, printed = marked.run("roster", "--lti")
    assert status == 1 and "sent an unexpected answer" in printed and printed.count("\n") == 1
