"""The written viva: the student predicts first, then sees what was measured; the first prediction counts."""

import json
import os
import shutil
from pathlib import Path

import pytest
from classroom import ROOT
from generated_class import Size, with_exchange
from nbgrader.api import Gradebook

from syncpoint.check.edits import Edit
from syncpoint.check.magic import print_or_show
from syncpoint.check.status import SECRET, Exchange, note_name
from syncpoint.check.visible_tests import Visible
from syncpoint.check.viva import ABOUT, CHOICES, MAX_REASON_CHARACTERS, viva
from syncpoint.core.messages import words
from syncpoint.core.timeline_data import Step, Timeline
from syncpoint.course.folder import Course
from syncpoint.exchange.viva import collect_predictions, predictions_wait
from syncpoint.records.database import one_transaction
from syncpoint.records.forget import forget_student
from syncpoint.records.mark_log import read_log
from syncpoint.records.student_details import set_language
from syncpoint.records.viva import questions
from syncpoint.viva.ask_class import Asked
from syncpoint.viva.changes import Change
from syncpoint.viva.measure import Question, Work
from syncpoint.viva.own_questions import Choice, Prepared
from syncpoint.viva.written_viva import keep, show_all

HOSTILE = "<script>alert(1)</script>"
NO_CHOICE = Choice()
KINDS = ("breaks", "order", "nothing")
SOURCE = f"def loops(x):\n    # {HOSTILE}\n    wait()\n    return x\n"


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return with_exchange(tmp_path / "course", Size(3))


@pytest.fixture
def students(course: Course, gradebook: Gradebook, tmp_path: Path) -> list[str]:
    """Two students whose submissions came by the exchange, and one whose submission did not."""
    names = sorted(student.id for student in gradebook.students)[:3]
    for name in names:
        (course.root / "submitted" / name / "async").mkdir(parents=True, exist_ok=True)
    for name in names[:2]:
        mine = tmp_path / f"cache of {name}" / "autumn" / f"{name}+async+2026-01-01 10:00:00 UTC"
        mine.mkdir(parents=True)
        for folder in (mine, course.root / "submitted" / name / "async"):
            (folder / SECRET).write_text(f"secret of {name}")
    (tmp_path / "exchange" / "autumn" / "inbound").mkdir(parents=True)
    return names


@pytest.fixture
def viva_of(tmp_path: Path):
    """`%syncpoint viva ...` in a student's notebook."""

    def run(student: str, line: str = "") -> tuple[str, str]:
        exchange = Exchange(tmp_path / "exchange", tmp_path / f"cache of {student}")
        said, reports = viva(tmp_path / "async", line.split(maxsplit=2), exchange)
        return said, "\n".join(reports)

    return run


def question(kind: str) -> Question:
    change = Change("without_wait", Edit(SOURCE.replace("wait()", "pass"), 3, 3), words(f"CHANGE-{kind}"), kind)
    steps = [Timeline((Step("enqueue", (f"{name}-{kind}",)),), None, words(""), 0, 0) for name in ("BEFORE", "AFTER")]
    return Question("loops", SOURCE, change, kind, (), (words(f"MEASURED-{kind}"),), *steps)


def ask(
    course: Course, gradebook: Gradebook, students: list[str], choice: Choice = NO_CHOICE, kinds=KINDS
) -> list[str]:
    asked = Asked(
        {student: [question(kind) for kind in kinds] for student in students},
        {student: Work(student, ()) for student in students},
    )
    notes = keep(course, gradebook, "async", asked, choice, "1")
    return notes + show_all(course, gradebook, "async")


def of(gradebook: Gradebook, student: str):
    with one_transaction(gradebook) as session:
        return [(one.number, one.kind, one.prediction, one.why) for one in questions(session, "async", student)]


def number_of(gradebook: Gradebook, student: str, kind: str) -> int:
    return next(number for number, found, *_ in of(gradebook, student) if found == kind)


def file_of(tmp_path: Path, student: str) -> Path:
    return tmp_path / "exchange" / "autumn" / "feedback" / note_name(f"secret of {student}", f"async{ABOUT}")


def drop(tmp_path: Path, content: object, name: str = "prediction-x.json") -> Path:
    path = tmp_path / "exchange" / "autumn" / "inbound" / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def about(student: str, number: int = 1, choice: str = "order", why: str = "So.") -> dict[str, object]:
    submission = note_name(f"secret of {student}", "async")
    return {"submission": submission, "question": number, "prediction": choice, "why": why}


def inbound(tmp_path: Path) -> list[str]:
    return sorted(path.name for path in (tmp_path / "exchange" / "autumn" / "inbound").iterdir())


def test_the_answer_comes_after_the_prediction_and_only_of_that_question(
    course: Course, gradebook: Gradebook, students: list[str], tmp_path: Path, viva_of
):
    ask(course, gradebook, students[:2])
    said, shown = viva_of(students[0])
    assert said.startswith("Open questions: 1, 2, 3. Predict first")
    assert all(f"CHANGE-{kind}" in shown for kind in KINDS) and "wait()" in shown and "script" in shown
    assert HOSTILE not in shown
    before = file_of(tmp_path, students[0]).read_text()
    assert not any(word in before for word in ("MEASURED", "BEFORE-", "AFTER-"))

    number = number_of(gradebook, students[0], "order")
    assert viva_of(students[0], f'{number} B. "the host <b>waits</b> later"')[0].startswith(
        f"Your prediction for question {number} was sent."
    )
    assert collect_predictions(course, gradebook) == [] and inbound(tmp_path) == []
    said, shown = viva_of(students[0])
    rest = ", ".join(str(one) for one in (1, 2, 3) if one != number)
    assert said.startswith(f"Open questions: {rest}.")
    assert "MEASURED-order" in shown and "BEFORE-order" in shown and "AFTER-order" in shown
    assert "&lt;b&gt;waits" in shown and "<b>waits" not in shown
    assert "MEASURED-breaks" not in shown and "MEASURED-nothing" not in shown
    assert "MEASURED" not in file_of(tmp_path, students[1]).read_text()


def test_nothing_in_the_file_tells_open_questions_apart_but_their_texts(
    course: Course, gradebook: Gradebook, students: list[str], tmp_path: Path
):
    ask(course, gradebook, students[:2])
    note = json.loads(file_of(tmp_path, students[0]).read_text())
    for kind, report in zip((kind for _, kind, *_ in of(gradebook, students[0])), note.pop("reports"), strict=True):
        (number,) = (number for number, found, *_ in of(gradebook, students[0]) if found == kind)
        note.setdefault("bare", set()).add(report.replace(f"CHANGE-{kind}", "").replace(f"Question {number}", ""))
    assert len(note.pop("bare")) == 1
    assert not any(kind in json.dumps(note) for kind in CHOICES)


def test_the_place_of_a_question_says_nothing_of_its_answer(course: Course, gradebook: Gradebook, students: list[str]):
    ask(course, gradebook, sorted(student.id for student in gradebook.students))
    orders = {tuple(kind for _, kind, *_ in of(gradebook, student.id)) for student in gradebook.students}
    assert len(orders) > 1


def test_the_first_prediction_counts(
    course: Course, gradebook: Gradebook, students: list[str], tmp_path: Path, viva_of
):
    ask(course, gradebook, students[:1])
    viva_of(students[0], "1 a First.")
    viva_of(students[0], "1 b Second.")  # nobody has collected the first one yet
    collect_predictions(course, gradebook)
    drop(tmp_path, about(students[0], 1, "nothing", "Third."))
    collect_predictions(course, gradebook)
    assert of(gradebook, students[0])[0][2:] == ("breaks", "First.")
    assert viva_of(students[0], "1 d Fourth.")[0].startswith("You have already predicted question 1.")
    assert inbound(tmp_path) == []


def test_what_cannot_be_sent_is_a_sentence(
    course: Course, gradebook: Gradebook, students: list[str], tmp_path, viva_of
):
    assert viva_of(students[0])[0].startswith("There are no questions for your latest submission of async.")
    ask(course, gradebook, students[:1])
    for line in ("1", "1 a", "1 e So.", "1 order So.", f"1 a {'x' * (MAX_REASON_CHARACTERS + 1)}"):
        assert viva_of(students[0], line)[0].startswith("Type `%syncpoint viva`, the number of a question")
    for number in ("0", "4", "-1", "x", "²"):
        assert viva_of(students[0], f"{number} a So.")[0] == "There is no such question. Choose one of these: 1, 2, 3."
    assert inbound(tmp_path) == []
    (tmp_path / "exchange" / "autumn" / "inbound").rmdir()
    assert viva_of(students[0], "1 a So.")[0].startswith("Your prediction was not sent: No such file")


def test_the_command_takes_the_reason_as_one_text(monkeypatch, capsys):
    seen: list[list[str]] = []
    monkeypatch.setattr("syncpoint.check.magic.viva", lambda folder, words: (f"said {seen.append(words)}", []))
    for line in ('viva 2 b "it waits, so  late"', "viva"):
        print_or_show(Visible(Path("async", "visible")), line, {})
    assert seen == [["2", "b", "it waits, so  late"], []] and "said" in capsys.readouterr().out


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "[" * 10_000,
        {"submission": 1},
        {"question": True, "prediction": "order"},
        {"question": 0},
        {"question": 1 << 80},
        {"question": -1},
        {"question": 1.0},
        {"prediction": "right"},
        {"prediction": ["order"]},
        {"why": ""},
        {"why": "x" * (MAX_REASON_CHARACTERS + 1)},
        {"why": 7},
        {"question": 4},
    ],
)
def test_a_file_that_is_no_prediction_changes_nothing_and_shows_nothing(
    course: Course, gradebook: Gradebook, students: list[str], tmp_path: Path, content
):
    ask(course, gradebook, students[:1])
    drop(tmp_path, content if isinstance(content, str) else about(students[0]) | {"why": " "} | content)
    assert collect_predictions(course, gradebook) == []
    assert {prediction for *_, prediction, _ in of(gradebook, students[0])} == {None}
    assert inbound(tmp_path) == [] and "MEASURED" not in file_of(tmp_path, students[0]).read_text()


def test_a_reason_is_plain_text_that_any_database_takes(
    course: Course, gradebook: Gradebook, students: list[str], tmp_path: Path
):
    ask(course, gradebook, students[:1])
    drop(tmp_path, about(students[0], why="\x00\ud800\x1b[2J so"))
    collect_predictions(course, gradebook)
    why = of(gradebook, students[0])[0][3]
    assert why.endswith("[2J so") and why.isprintable()


def test_only_the_secret_says_whose_prediction_it_is(
    course: Course, gradebook: Gradebook, students: list[str], tmp_path: Path
):
    ask(course, gradebook, students[:2])
    drop(tmp_path, about(students[0]) | {"student": students[1]})
    drop(tmp_path, about("somebody"), "prediction-y.json")
    collect_predictions(course, gradebook)
    assert of(gradebook, students[0])[0][2] == "order" and of(gradebook, students[1])[0][2] is None
    assert inbound(tmp_path) == []


def test_where_owners_are_compared_a_file_of_another_account_counts_for_nobody(
    course: Course, gradebook: Gradebook, students: list[str], tmp_path: Path
):
    ask(course, gradebook, students[:1])
    config = course.root / "nbgrader_config.py"
    config.write_text(config.read_text().replace("check_owner = False", "check_owner = True"))
    drop(tmp_path, about(students[0]))
    collect_predictions(Course(course.root), gradebook)
    assert of(gradebook, students[0])[0][2] is None and inbound(tmp_path) == []


def test_links_are_not_followed(course: Course, gradebook: Gradebook, students: list[str], tmp_path: Path):
    ask(course, gradebook, students[:1])
    other = tmp_path / "other.json"
    other.write_text(json.dumps(about(students[0])))
    place = tmp_path / "exchange" / "autumn" / "inbound"
    os.symlink(other, place / "prediction-a.json")
    os.link(other, place / "prediction-b.json")
    os.mkfifo(place / "prediction-c.json")
    (place / "prediction-d.json").mkdir()
    collect_predictions(course, gradebook)
    assert of(gradebook, students[0])[0][2] is None and other.exists()
    assert inbound(tmp_path) == ["prediction-d.json"] and not predictions_wait(place)


def test_others_cannot_list_the_files_and_each_has_a_name_of_its_own(
    course: Course, gradebook: Gradebook, students: list[str], tmp_path: Path, viva_of
):
    ask(course, gradebook, students[:2])
    folder = tmp_path / "exchange" / "autumn" / "feedback"
    assert folder.stat().st_mode & 0o777 == 0o711
    assert len(list(folder.iterdir())) == 2
    (tmp_path / "cache of nobody").mkdir()
    assert viva_of("nobody")[0].startswith("There are no questions")


def test_work_that_did_not_come_by_the_exchange_is_named(course: Course, gradebook: Gradebook, students: list[str]):
    notes = ask(course, gradebook, students)
    assert notes == [f"{students[2]} has not submitted through the exchange: print a sheet instead."]


def test_who_has_questions_keeps_them(course: Course, gradebook: Gradebook, students: list[str], viva_of):
    ask(course, gradebook, students[:1])
    viva_of(students[0], "1 a So.")
    collect_predictions(course, gradebook)
    before = of(gradebook, students[0])
    ask(course, gradebook, students[:2], kinds=("memory",))
    assert of(gradebook, students[0]) == before and len(of(gradebook, students[1])) == 1
    assert "MEASURED" in viva_of(students[0])[1]


def test_a_newer_submission_shows_the_same_questions_when_the_teacher_asks_again(
    course: Course, gradebook: Gradebook, students: list[str], tmp_path: Path, viva_of
):
    ask(course, gradebook, students[:1])
    later = tmp_path / f"cache of {students[0]}" / "autumn" / f"{students[0]}+async+2026-01-02 10:00:00 UTC"
    later.mkdir()
    for folder in (later, course.root / "submitted" / students[0] / "async"):
        (folder / SECRET).write_text("another secret")
    assert viva_of(students[0])[0].startswith("There are no questions")
    show_all(course, gradebook, "async")
    assert "CHANGE-breaks" in viva_of(students[0])[1]


def test_a_killed_run_shows_the_answer_when_it_runs_again(
    course: Course, gradebook: Gradebook, students: list[str], tmp_path: Path, monkeypatch
):
    ask(course, gradebook, students[:1])
    drop(tmp_path, about(students[0]))
    with monkeypatch.context() as patch:
        patch.setattr("syncpoint.exchange.viva.show", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            collect_predictions(course, gradebook)
    assert of(gradebook, students[0])[0][2] == "order"
    collect_predictions(course, gradebook)
    assert "MEASURED" in file_of(tmp_path, students[0]).read_text() and inbound(tmp_path) == []


def test_an_exchange_that_cannot_be_written_stops_nobody_else(
    course: Course, gradebook: Gradebook, students: list[str], tmp_path: Path
):
    ask(course, gradebook, students[1:2])
    file_of(tmp_path, students[0]).mkdir()
    notes = ask(course, gradebook, students[:1])
    assert [note.partition(":")[0] for note in notes] == ["async"] and students[0] in notes[0]
    drop(tmp_path, about(students[0]))
    drop(tmp_path, about(students[1]), "prediction-y.json")
    (sentence,) = collect_predictions(course, gradebook)
    assert students[0] in sentence and "--written` again" in sentence
    assert "MEASURED" in file_of(tmp_path, students[1]).read_text()


def test_points_go_to_right_first_predictions_once_and_only_if_the_course_says_so(
    course: Course, gradebook: Gradebook, students: list[str], tmp_path: Path, viva_of
):
    ask(course, gradebook, students[:1])
    ask(course, gradebook, students[1:2], Choice(points=0.5))
    assert "extra points" not in viva_of(students[0])[0]
    assert "Each right first prediction gives extra points: 0.5." in viva_of(students[1])[0]

    def points(student: str) -> float:
        gradebook.db.rollback()
        return gradebook.find_submission("async", student).score

    before = {student: points(student) for student in students}
    for student in students[:2]:
        for kind, predicted in (("breaks", "breaks"), ("order", "nothing"), ("order", "order")):
            drop(tmp_path, about(student, number_of(gradebook, student, kind), predicted))
            collect_predictions(course, gradebook)
    assert {student: points(student) - before[student] for student in students} == dict(
        zip(students, (0, 0.5, 0), strict=True)
    )
    (change,) = [one for one in read_log(gradebook, "async") if one.how == "viva"]
    assert (change.student, change.exercise, change.mark) == (students[1], "test_loops", "extra credit")


@pytest.mark.parametrize(("language", "nothing"), [("pt_BR", "Nada muda."), ("zh_CN", "什么都没有变。")])
def test_the_texts_are_in_the_students_language(
    course: Course, gradebook: Gradebook, students: list[str], viva_of, language: str, nothing: str
):
    shutil.copytree(ROOT / "locale" / language, course.root / "locale" / language)
    with one_transaction(gradebook) as session:
        set_language(session, students[0], language)
    ask(course, gradebook, students[:2])
    english, shown = viva_of(students[1])
    assert "Nothing changes." in shown
    said, shown = viva_of(students[0])
    assert said != english and "1, 2, 3" in said
    assert nothing in shown and "Nothing changes." not in shown


def test_prepared_questions_with_a_kind_fill_up_and_others_stay_on_the_sheet(
    course: Course, gradebook: Gradebook, students: list[str]
):
    prepared = (Prepared("SPOKEN", "A"), Prepared("CHOSEN", "B", kind="memory"))
    ask(course, gradebook, students[:1], Choice(prepared=prepared), kinds=("order",))
    assert sorted(kind for _, kind, *_ in of(gradebook, students[0])) == ["memory", "order"]
    assert ask(course, gradebook, students[1:2], kinds=()) == [
        f"{students[1]}: no change of this student's code could be measured."
    ]


def test_a_forgotten_student_has_no_questions(course: Course, gradebook: Gradebook, students: list[str]):
    ask(course, gradebook, students[:1])
    with forget_student(gradebook, students[0], "left"):
        pass
    assert of(gradebook, students[0]) == []
