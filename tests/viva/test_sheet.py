"""The oral sheet: escaped, without scripts, with the code around each change, in each language, as HTML and PDF."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from classroom import ROOT

from syncpoint.core.language import ENGLISH
from syncpoint.core.messages import Message, words
from syncpoint.core.timeline_data import Step, Timeline
from syncpoint.course.errors import CourseError
from syncpoint.course.folder import Course
from syncpoint.translations.catalogue import spoken
from syncpoint.viva.ask_class import Asked
from syncpoint.viva.changes import changes
from syncpoint.viva.measure import Question, Work
from syncpoint.viva.own_questions import Choice, Prepared, read_choice
from syncpoint.viva.sheet import MOST_LINES, code_around, write_sheet

NO_CHOICE = Choice()
HOSTILE = "<script>alert(1)</script>"
SOURCE = f"x = 0\n\n\ndef f(y):\n    text = '{HOSTILE}'\n    gpu.synchronize()\n    return y\n"


def question(source: str = SOURCE) -> Question:
    change = next(one for one in changes(source) if one.rule == "without_wait")
    step = Timeline((Step("enqueue", (HOSTILE,)),), None, words(HOSTILE), 0, 0)
    sentences = (Message("what_if_right"), Message.of("what_if_waits", before=1, after=0))
    return Question("run_both", source, change, "order", (), sentences, step, step, ("place-in-a-stream",))


def asked(questions: dict[str, list[Question]]) -> Asked:
    return Asked(questions, {student: Work(student, ()) for student in questions})


def written(tmp_path: Path, choice: Choice = NO_CHOICE, language=ENGLISH) -> str:
    path = tmp_path / "sheet.html"
    write_sheet(path, "torch_streams", asked({f"ada{HOSTILE}": [question()], "bob": []}), choice, language, "1")
    return path.read_text()


def test_nothing_of_a_student_is_markup(tmp_path):
    page = written(tmp_path)
    assert "<script" not in page
    assert page.count("&lt;script&gt;") >= 4
    assert "default-src &#39;none&#39;" in page or "default-src 'none'" in page


def test_the_code_has_its_line_numbers_and_marks_what_is_left_out(tmp_path):
    lines = code_around(question())
    assert [line.number for line in lines] == ["4", "5", "6", "7"]
    assert [line.kind for line in lines] == ["", "", "old", ""]
    assert re.search(r'class="old"><i>6</i>    gpu.synchronize', written(tmp_path))


def test_of_a_long_function_the_lines_around_the_change_are_shown():
    body = "".join(f"    a{number} = {number}\n" for number in range(60))
    lines = code_around(question(f"def f():\n{body}    gpu.synchronize()\n{body}"))
    assert len(lines) == MOST_LINES + 1 and any(line.kind == "old" for line in lines)
    assert [lines[0].number, lines[0].text, lines[1].text, lines[-1].text] == ["1", "def f():", "...", "..."]


def test_the_docstring_of_the_notebook_is_not_shown():
    source = 'def f(y):\n    """The task.\n\n    Return y.\n    """\n    gpu.synchronize()\n    return y\n'
    assert [line.number for line in code_around(question(source))] == ["1", "6", "7"]


def test_a_line_that_moves_is_shown_where_it_was_and_where_it_is():
    source = (
        "def f():\n    side.wait_stream(here)\n    with gpu.stream(side):\n        a()\n        b()\n    return c\n"
    )
    change = next(one for one in changes(source) if one.rule == "swapped")
    lines = code_around(replace(question(SOURCE), source=source, change=change))
    assert [(line.number, line.kind) for line in lines] == [
        ("1", ""), ("2", "old"), ("3", ""), ("4", ""), ("5", ""), ("+", "new"), ("6", "")
    ]  # fmt: skip


def test_readers_learn_how_the_code_was_called_what_the_signs_mean_and_what_some_believe(tmp_path):
    choice = Choice(called={"run_both": {"en": "HOW-CALLED", "pt_BR": "COMO"}})
    path = tmp_path / "sheet.html"
    beliefs = {"place-in-a-stream": '"BELIEF"', "reads-the-task": "TASK"}
    one = replace(question(), misconceptions=("reads-the-task", "place-in-a-stream"))
    write_sheet(path, "torch_streams", asked({"ada": [one]}), choice, ENGLISH, "1", beliefs)
    page = path.read_text()
    assert "HOW-CALLED" in page and "BELIEF" in page and "TASK" not in page
    assert "Python (the front end) enqueues" in page and "held back" not in page


def test_a_question_without_asynchronous_work_names_no_belief_and_a_failed_program_has_no_picture(tmp_path):
    one = replace(question(), plain=True, before=None, after=None, misconceptions=("place-in-a-stream",))
    path = tmp_path / "sheet.html"
    write_sheet(path, "a", asked({"ada": [one]}), NO_CHOICE, ENGLISH, "1", {"place-in-a-stream": "BELIEF"})
    page = path.read_text()
    assert "BELIEF" not in page and "Before the change" not in page


def test_prepared_questions_fill_up_and_those_for_everybody_come_first(tmp_path):
    of_another = Prepared("NOT-SOLVED", "x", exercise="prefetcher", always=True)
    choice = Choice(prepared=(Prepared("SPARE", "because"), of_another, Prepared({"en": "ALWAYS"}, "so", always=True)))
    page = written(tmp_path, choice)
    ada, bob = page.split("<section>")[1:]
    assert "ALWAYS" in ada and "SPARE" in ada and "gpu.synchronize" in ada
    assert "ALWAYS" in bob and "SPARE" in bob
    assert "NOT-SOLVED" not in page


@pytest.mark.parametrize("name", ["en", "zh_CN", "pt_BR"])
def test_the_sheet_speaks_each_language(name, tmp_path):
    language = spoken(Course(ROOT), name, "torch_streams")
    page = written(tmp_path, language=language)
    assert f'lang="{language.tag}"' in page
    said = "The numbers stay right" in page
    assert said == (name == "en")


def test_a_file_that_is_none_is_named_with_the_reason(tmp_path):
    course = Course(tmp_path)
    folder = tmp_path / "grader_tests" / "a"
    folder.mkdir(parents=True)
    assert read_choice(course, "a") == Choice()
    for text in ('pins = ["x"]', "pin = 3", "[[questions]]\nquestion = 'why?'", "pin = [", "called.f = 3"):
        (folder / "viva.toml").write_text(text)
        with pytest.raises(CourseError, match=r"viva\.toml cannot be used"):
            read_choice(course, "a")


@pytest.mark.browser
def test_each_student_gets_one_page_of_the_pdf(browser, tmp_path):
    path = tmp_path / "sheet.pdf"
    body = "".join(f"    a{number} = {'x' * 100}\n" for number in range(30))
    long = question(f"def f():\n{body}    gpu.synchronize()\n{body}")
    steps = tuple(Step("enqueue", ("mm",), queue=number % 8, devices=(1,)) for number in range(16))
    place = Message.of("operation_in_line", operation="copy from the host", line=12)
    ordered = Message.of("what_if_ordered", pair=Message.of("pair_of_places", first=place, second=place))
    waits = Message.of("what_if_waits", before=5, after=6)
    drawn = Timeline(steps, None, words("x"), 0, 0)
    long = replace(long, before=drawn, after=replace(drawn, steps=steps[:9]), sentences=(waits, waits, *[ordered] * 3))
    choice = Choice(called={"run_both": "word " * 30})
    write_sheet(path, "torch_streams", asked({"ada": [long] * 3, "bob": [question()] * 3}), choice, ENGLISH, "1")
    assert len(re.findall(rb"/Type\s*/Page\b", path.read_bytes())) == 2
