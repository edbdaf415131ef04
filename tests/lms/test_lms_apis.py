"""Marks by Canvas' and Moodle's own APIs, against fakes that answer as their documentation says."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lms_apis import TOKEN, FakeCanvas, FakeMoodle, running_fake
from marked_class import NUMBERS, PEOPLE, MarkedClass

from syncpoint.lms import session
from syncpoint.lms.token import VARIABLE

PAGES = {FakeCanvas: "/courses/7/assignments/42", FakeMoodle: "/mod/assign/view.php?id=57"}
both = pytest.mark.parametrize("fake", [FakeCanvas, FakeMoodle], indirect=True)


@pytest.fixture
def fake(request: pytest.FixtureRequest) -> Iterator[Any]:
    with running_fake(request.param) as fake:
        for name in PEOPLE:
            person = {"id": int(NUMBERS[name])}
            if request.param is FakeCanvas:
                person |= {"name": f"{name.title()} Test", "sis_user_id": f"s-{name}", "login_id": name}
            else:
                person |= {"fullname": f"{name.title()} Test", "idnumber": f"s-{name}", "username": name}
            fake.people.append(person)
        yield fake


@pytest.fixture
def marked(tmp_path: Path, fake: Any, monkeypatch: pytest.MonkeyPatch) -> MarkedClass:
    monkeypatch.setattr(session, "PATIENCE", session.PATIENCE.new(backoff_factor=0))
    monkeypatch.delenv(VARIABLE, raising=False)
    marked = MarkedClass(tmp_path / "autumn", "lms_user_id")
    token = tmp_path / "token"
    token.write_text(f"{TOKEN}\n")
    token.chmod(0o600)
    page = next(page for kind, page in PAGES.items() if issubclass(fake, kind))
    marked.configure(f'c.SendMarks.columns = {{"hw": "{fake.url}{page}"}}')
    marked.configure(f'c.SendMarks.token_file = "{token}"')
    marked.configure('c.SendMarks.feedback = "https://hub.school.example/{assignment}"')
    return marked


def marks(fake: Any) -> dict[int, float]:
    return {number: one.get("score", one.get("grade")) for number, one in fake.grades.items()}


@both
def test_marks_arrive_with_a_comment_and_only_once(marked: MarkedClass, fake: Any):
    status, printed = marked.run("send-marks", "hw")
    assert status == 0 and fake.grades == {} and "new        ben: 4 of 10" in printed
    assert marked.send()[0] == 0
    text = "{} of 10 points. Your feedback: https://hub.school.example/hw"
    wanted = [(100, text.format(10)), (101, text.format(4))]
    assert [one for one in fake.comments if one[1]] == wanted
    assert {number: mark for number, mark in marks(fake).items() if mark is not None} == {100: 10, 101: 4}
    marked.send()
    assert [one for one in fake.comments if one[1]] == wanted


@pytest.mark.parametrize("fake", [FakeCanvas], indirect=True)
def test_canvas_reads_an_excuse_as_one(marked: MarkedClass, fake: Any):
    marked.send()
    assert fake.grades[103] == {"excused": True, "score": None}
    assert "excused" not in marked.run("send-marks", "hw")[1]


@pytest.mark.parametrize("fake", [FakeMoodle], indirect=True)
def test_moodle_gets_a_mark_taken_back(marked: MarkedClass, fake: Any):
    marked.send()
    marked.run("excuse", "ada", "hw", "--because", "ill")
    assert "taken back ada: excused" in marked.send()[1] and fake.grades[100]["grade"] == -1
    assert "ada" not in marked.run("send-marks", "hw")[1].partition("nothing")[0]


@both
def test_a_busy_platform_is_asked_again(marked: MarkedClass, fake: Any):
    fake.busy = 3
    assert marked.send()[0] == 0 and marks(fake)[100] == 10


@both
def test_what_a_teacher_entered_there_stays(marked: MarkedClass, fake: Any):
    fake.grades[100] = {"score": 5.0, "excused": False, "grade": 5.0}
    assert "held       ada: the platform has 5, which was not sent from here" in marked.send()[1]
    assert marks(fake)[100] == 5


@both
def test_other_points_there_are_refused(marked: MarkedClass, fake: Any):
    fake.most = 100.0
    status, printed = marked.send()
    assert status == 1 and "enter 10 there" in printed and fake.grades == {}


@both
def test_totals_go_to_an_assignment_of_100_points(marked: MarkedClass, fake: Any):
    page = next(page for kind, page in PAGES.items() if issubclass(fake, kind))
    marked.configure(f'c.SendMarks.columns = {{}}\nc.SendMarks.total = "{fake.url}{page}"')
    marked.configure('c.CourseTotal.weights = {"hw": 1}')
    assert "enter 100 there" in marked.run("send-marks", "--send")[1]
    fake.most = 100.0
    status, printed = marked.run("send-marks", "--send")
    assert status == 0 and "waits      cy: the total is not final" in printed
    assert {number: mark for number, mark in marks(fake).items() if mark is not None} == {100: 100, 101: 40}
    marked.configure(f'c.SendMarks.columns = {{"hw": "{fake.url}{page}"}}')
    assert "the same page for hw, the total" in marked.run("send-marks", "--send")[1]


@both
def test_marks_above_the_maximum_arrive(marked: MarkedClass, fake: Any):
    marked.mark("ada", 6.0, 6.0)
    marked.send()
    assert marks(fake)[100] == (12 if issubclass(fake, FakeCanvas) else 10)
    assert (100, "12 of 10 points. Your feedback: https://hub.school.example/hw") in fake.comments
    assert "same       ada" in marked.send()[1]


@both
def test_an_id_that_is_somebody_elses_there_gets_no_mark(marked: MarkedClass, fake: Any):
    fake.people[0] |= {"name": "Olga Other", "fullname": "Olga Other"}
    fake.people[1]["id"] = 999
    status, printed = marked.send()
    assert status == 1 and not {100, 101, 999} & fake.grades.keys()
    assert "unmatched  ada: on the platform 100 is 'Olga Other'" in printed
    assert "unmatched  ben: the course on the platform has nobody with the id 101" in printed


@both
def test_an_id_of_two_people_there_gets_no_mark(marked: MarkedClass, fake: Any):
    marked.configure('c.SendMarks.identity = "school id"')
    marked.run("roster", str(roster(marked, "id,school id\nada,s-ada\nben,s-ben\ndora,s-dora\n")))
    fake.people.append({**fake.people[0], "id": 999})
    status, printed = marked.send()
    assert status == 1 and not {100, 999} & fake.grades.keys() and 101 in fake.grades
    assert "unmatched  ada: the course on the platform has nobody with the id s-ada, or more than one person" in printed


@pytest.mark.parametrize("fake", [FakeCanvas], indirect=True)
def test_an_assignment_of_canvas_that_gives_a_mark_to_the_whole_group_is_refused(marked: MarkedClass, fake: Any):
    fake.about = {"group_category_id": 3, "grade_group_students_individually": False}
    status, printed = marked.send()
    assert status == 1 and fake.grades == {} and "'Assign Grades to Each Student Individually'" in printed
    fake.about = {"group_category_id": 3, "grade_group_students_individually": True}
    assert marked.send()[0] == 0 and marks(fake)[100] == 10


@both
def test_a_school_id_in_the_place_of_the_platforms_is_none(marked: MarkedClass, fake: Any):
    marked.run("roster", str(roster(marked, "id,LMS id,school id\nada,100,100\n")))
    status, printed = marked.send()
    assert status == 1 and 100 not in fake.grades and "unmatched  ada: the roster has no lms user id" in printed


@both
def test_a_school_may_go_by_another_id(marked: MarkedClass, fake: Any):
    marked.configure('c.SendMarks.identity = "school id"')
    marked.run("roster", str(roster(marked, "id,school id\nada,s-ada\nben,s-ben\ndora,s-dora\n")))
    status, printed = marked.send()
    assert status == 0 and (marks(fake)[100], marks(fake)[101]) == (10, 4), printed


@both
def test_the_token_is_in_no_address_and_in_no_file_that_others_read(
    marked: MarkedClass, fake: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    assert marked.send()[0] == 0 and not any(TOKEN.partition("~")[2] in address for address in fake.addresses)
    (tmp_path / "token").chmod(0o644)
    status, printed = marked.send()
    assert status == 1 and "others can read the access token" in printed
    monkeypatch.setenv(VARIABLE, "wrong")
    status, printed = marked.send()
    assert status == 1 and "nvalid" in printed and "wrong" not in printed and TOKEN not in printed


@both
def test_a_page_of_something_else_is_refused(marked: MarkedClass, fake: Any):
    marked.configure('c.SendMarks.columns = {"hw": "https://lms.school.example/grades"}')
    assert "is not the address of an assignment" in marked.send()[1]
    marked.configure('c.SendMarks.columns = {"other": "https://lms.school.example/grades"}')
    assert "c.SendMarks.columns names other" in marked.send()[1]


def roster(marked: MarkedClass, text: str) -> Path:
    file = marked.root / "roster.csv"
    file.write_text(text)
    return file
