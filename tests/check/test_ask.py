"""``%syncpoint ask``: a question goes from the notebook to the course, in the name of whoever submitted the work."""

import json
import os
from pathlib import Path

import pytest
from generated_class import Size, with_exchange
from IPython.core.interactiveshell import InteractiveShell
from nbgrader.api import Gradebook

from syncpoint.check.ask import MAX_QUESTION_CHARACTERS, ask
from syncpoint.check.errors import CannotAsk
from syncpoint.check.magic import keep_question_marks
from syncpoint.check.status import SECRET, Exchange, note_name
from syncpoint.course.folder import Course
from syncpoint.exchange.questions import OPEN, collect_questions
from syncpoint.records.regrade import answer, questions


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return with_exchange(tmp_path / "course", Size(2))


@pytest.fixture
def students(course: Course, gradebook: Gradebook) -> list[str]:
    """Two students, whose submissions came by the exchange."""
    names = sorted(student.id for student in gradebook.students)[:2]
    for name in names:
        folder = course.root / "submitted" / name / "async"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / SECRET).write_text(f"secret of {name}")
    return names


@pytest.fixture
def exchange(tmp_path: Path) -> Exchange:
    found = Exchange(tmp_path / "exchange", tmp_path / "cache")
    (found.root / "autumn" / "inbound").mkdir(parents=True)
    return found


def submit(exchange: Exchange, student: str) -> None:
    folder = exchange.cache / "autumn" / f"{student}+async+2026-01-01 10:00:00 UTC"
    folder.mkdir(parents=True)
    (folder / SECRET).write_text(f"secret of {student}")


def inbound(exchange: Exchange) -> Path:
    return exchange.root / "autumn" / "inbound"


def drop(exchange: Exchange, content: object, name: str = "question-x.json") -> None:
    text = content if isinstance(content, str) else json.dumps(content)
    (inbound(exchange) / name).write_text(text)


def asked(gradebook: Gradebook) -> list[tuple[str, str, str]]:
    gradebook.db.rollback()
    return [(one.student, one.exercise, one.question) for one in questions(gradebook.db(), "async")]


def about(student: str, exercise: str = "loops", question: str = "Why?") -> dict[str, str]:
    return {"submission": note_name(f"secret of {student}", "async"), "exercise": exercise, "question": question}


def test_a_question_reaches_the_queue_and_leaves_the_exchange(
    course: Course, gradebook: Gradebook, students: list[str], exchange: Exchange, tmp_path: Path
):
    submit(exchange, students[1])
    printed = ask(tmp_path / "async", "loops", 'Why "0" points?', exchange)
    assert printed.startswith("Your question about loops was sent.")
    assert collect_questions(course, gradebook) == []
    assert asked(gradebook) == [(students[1], "test_loops", 'Why "0" points?')]
    assert list(inbound(exchange).iterdir()) == []


def test_without_a_submission_or_a_text_nothing_is_sent(exchange: Exchange, tmp_path: Path):
    with pytest.raises(CannotAsk, match="Your question was not sent: no submission"):
        ask(tmp_path / "async", "loops", "Why?", exchange)
    for text in ("", "x" * (MAX_QUESTION_CHARACTERS + 1)):
        with pytest.raises(CannotAsk, match="Type `%syncpoint ask`"):
            ask(tmp_path / "async", "loops", text, exchange)
    assert list(inbound(exchange).iterdir()) == []


def test_an_exchange_that_cannot_be_written_is_a_sentence(exchange: Exchange, students: list[str], tmp_path: Path):
    submit(exchange, students[0])
    inbound(exchange).rmdir()
    with pytest.raises(CannotAsk, match="Your question was not sent: No such file"):
        ask(tmp_path / "async", "loops", "Why?", exchange)


def test_only_the_secret_says_whose_question_it_is(
    course: Course, gradebook: Gradebook, students: list[str], exchange: Exchange
):
    drop(exchange, about(students[0]) | {"student": students[1]})
    drop(exchange, about("somebody"), "question-y.json")
    assert collect_questions(course, gradebook) == []
    assert asked(gradebook) == [(students[0], "test_loops", "Why?")]
    # It may be about a submission that is not collected yet.
    assert [path.name for path in inbound(exchange).iterdir()] == ["question-y.json"]
    os.utime(inbound(exchange) / "question-y.json", (0, 0))
    assert collect_questions(course, gradebook) == []
    assert list(inbound(exchange).iterdir()) == []


def test_where_owners_are_compared_a_file_of_another_account_counts_for_nobody(
    course: Course, gradebook: Gradebook, students: list[str], exchange: Exchange
):
    config = course.root / "nbgrader_config.py"
    config.write_text(config.read_text().replace("check_owner = False", "check_owner = True"))
    drop(exchange, about(students[0]))
    assert collect_questions(Course(course.root), gradebook) == []
    assert asked(gradebook) == [] and list(inbound(exchange).iterdir()) == []


def test_files_that_are_no_questions_are_removed(
    course: Course, gradebook: Gradebook, students: list[str], exchange: Exchange
):
    texts = ["", "[", "[]", "7", "[" * 10_000, '{"submission": 1}', json.dumps({"question": "x" * 40_000}), "\x00"]
    for number, text in enumerate(texts):
        drop(exchange, text, f"question-{number}.json")
    assert collect_questions(course, gradebook) == []
    assert asked(gradebook) == [] and list(inbound(exchange).iterdir()) == []


def test_a_link_is_not_followed(
    course: Course, gradebook: Gradebook, students: list[str], exchange: Exchange, tmp_path: Path
):
    (tmp_path / "other.json").write_text(json.dumps(about(students[0])))
    os.symlink(tmp_path / "other.json", inbound(exchange) / "question-a.json")
    os.link(tmp_path / "other.json", inbound(exchange) / "question-b.json")
    os.mkfifo(inbound(exchange) / "question-c.json")
    (inbound(exchange) / "question-d.json").mkdir()
    drop(exchange, about(students[0]), "question-e.json")
    collect_questions(course, gradebook)
    assert len(asked(gradebook)) == 1 and (tmp_path / "other.json").exists()
    assert [path.name for path in inbound(exchange).iterdir()] == ["question-d.json"]


def test_the_same_question_is_there_once_and_open_ones_have_a_limit(
    course: Course, gradebook: Gradebook, students: list[str], exchange: Exchange
):
    for _ in range(2):  # a run that was killed before it removed the file
        drop(exchange, about(students[0]))
        collect_questions(course, gradebook)
    assert len(asked(gradebook)) == 1
    for number in range(OPEN + 1):
        drop(exchange, about(students[0], question=f"Question {number}?"), f"question-{number:02}.json")
    drop(exchange, about(students[1]), "question-zz.json")
    sentences = collect_questions(course, gradebook)
    assert sentences == [f"{students[0]} has {OPEN} open questions about async: another one was not accepted. "
                    "Answer those first."] * 2  # fmt: skip
    assert len(asked(gradebook)) == OPEN + 1
    answer(gradebook.engine, 1, "So.", "grace")
    drop(exchange, about(students[0], question="One more?"))
    assert collect_questions(course, gradebook) == [] and len(asked(gradebook)) == OPEN + 2


def test_what_cannot_be_asked_is_told_to_the_course(
    course: Course, gradebook: Gradebook, students: list[str], exchange: Exchange
):
    drop(exchange, about(students[0], exercise="nothing\x1b[2J"))
    (sentences,) = collect_questions(course, gradebook)
    assert sentences.startswith(f"A question of {students[0]} about async was not accepted: async has no exercise")
    assert "\x1b" not in sentences


def test_a_question_about_graded_work_arrives_though_newer_work_was_collected(
    course: Course, gradebook: Gradebook, exchange: Exchange, students: list[str]
):
    ada, _ = students
    (course.root / "autograded" / ada / "async").mkdir(parents=True)
    (course.root / "autograded" / ada / "async" / SECRET).write_text(f"secret of {ada}")
    (course.root / "submitted" / ada / "async" / SECRET).write_text("a newer secret")
    drop(exchange, about(ada))
    collect_questions(course, gradebook)
    assert asked(gradebook) == [(ada, "test_loops", "Why?")]


def test_the_longest_question_fits_in_any_script(
    course: Course, gradebook: Gradebook, exchange: Exchange, students: list[str]
):
    submit(exchange, students[0])
    ask(Path("autumn", "async"), "loops", "\N{GRINNING FACE}" * MAX_QUESTION_CHARACTERS, exchange)
    collect_questions(course, gradebook)
    assert [len(question) for *_, question in asked(gradebook)] == [MAX_QUESTION_CHARACTERS]


def test_a_student_with_ten_open_questions_is_told_that_another_one_is_not_sent(exchange: Exchange):
    submit(exchange, "ada")
    for number in range(OPEN):
        ask(Path("autumn", "async"), "loops", f"Why {number}?", exchange)
    with pytest.raises(CannotAsk, match="10 questions about this assignment that are not answered yet"):
        ask(Path("autumn", "async"), "loops", "And why?", exchange)
    assert len(list(inbound(exchange).iterdir())) == OPEN


def test_a_question_mark_at_the_end_is_part_of_the_question():
    shell = InteractiveShell()
    heard: list[str] = []
    shell.register_magic_function(heard.append, "line", "syncpoint")
    shell.input_transformers_cleanup.append(keep_question_marks)
    shell.run_cell("if True:\n    %syncpoint ask loops why 'no' points?\n%syncpoint check loops")
    assert heard == ["ask loops why 'no' points?", "check loops"]
