"""Misconceptions: the page, the marks that refer to it, the wrong solutions that name it, and the feedback."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from accessibility import tab_to, tabbed, violations
from classroom import ROOT
from elements import Elements

from syncpoint.core.explanations_of_tests import read_explanations
from syncpoint.course.folder import Course
from syncpoint.graders import kind_of, saw
from syncpoint.judge.kernel import Reply
from syncpoint.judge.student import Deadline, Student
from syncpoint.judge.test_runner import collect, message_for_student, run_tests
from syncpoint.probe.serialization import EngineArray, Opaque, encode
from syncpoint.records.read_results import read_graded
from syncpoint.report.misconceptions_page import parse_misconceptions, read_misconceptions
from syncpoint.vet.bank import Solution, read_bank
from syncpoint.vet.choice import choose
from syncpoint.vet.trial import Trial, try_solution

COURSE = Course(ROOT)
SECTIONS = read_misconceptions(COURSE.misconceptions_page)
PICTURE = re.compile(r"```text\n(.*?)```", re.DOTALL)
SECRET = 3.14159


@pytest.fixture(scope="module")
def marks() -> dict[tuple[str, str], dict[str, str]]:
    """Of each exercise, its tests and the misconception of each."""
    return {
        (assignment, exercise.removeprefix("test_")): collect(COURSE.graders(assignment).module(exercise))
        for assignment in COURSE.assignments()
        for exercise in COURSE.source(assignment).exercises()
    }


def test_each_test_of_the_course_has_a_misconception_and_each_one_is_used(marks):
    assert {slug for tests in marks.values() for slug in tests.values()} == set(SECTIONS)


def test_the_page_has_between_12_and_60_sections():
    assert 12 <= len(SECTIONS) <= 60


@pytest.mark.parametrize("section", SECTIONS.values(), ids=SECTIONS)
def test_a_section_is_short_and_has_a_picture_that_fits_its_place(section):
    (picture,) = PICTURE.findall(section.text)
    assert 50 <= len(PICTURE.sub("", section.text).split()) <= 120
    assert max(map(len, picture.splitlines())) <= 78


@pytest.mark.parametrize("section", SECTIONS.values(), ids=SECTIONS)
def test_a_section_stands_alone_in_a_page(section):
    page = Elements(section.html)
    assert set(page.tags) <= {"p", "em", "strong", "span", "pre"}
    assert page.attributes <= {"style", "tabindex"} and page.open == 0


PLACES = """pre => {
    const found = [], walk = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT), range = document.createRange()
    while (walk.nextNode())
        for (const { index } of walk.currentNode.data.matchAll("#")) {
            range.setStart(walk.currentNode, index)
            range.setEnd(walk.currentNode, index + 1)
            found.push(Math.round(range.getBoundingClientRect().left))
        }
    return found
}"""


def test_the_columns_of_a_picture_meet_although_chinese_letters_are_wide(browser):
    rows = "front end ~~~~#\n前端   [指令]~#\n没有上限  <y> #"
    page = browser.new_page()
    page.set_content(parse_misconceptions(f'<a id="x"></a>\n## X\n\n```text\n{rows}\n```\n')["x"].html)
    places = page.locator("pre").evaluate(PLACES)
    assert len(places) == 3 and len(set(places)) == 1


def test_what_a_page_holds_beside_text_stays_out_of_the_feedback():
    page = '# Page\n\n<a id="x"></a>\n## Title\n\n<script>run()</script> [here](javascript:run) <b>bold</b>\n'
    section = parse_misconceptions(page)["x"]
    assert (section.title, Elements(section.html).tags) == ("Title", ["p"])


def test_a_section_ends_where_the_next_begins():
    page = '# Title\n\n<a id="one"></a>\n## First\n\nText.\n\n<a id="two-b"></a>\n\n## Second\nMore.\n'
    assert {slug: (section.title, section.text) for slug, section in parse_misconceptions(page).items()} == {
        "one": ("First", "Text."),
        "two-b": ("Second", "More."),
    }


def test_a_course_without_the_page_has_no_sections(tmp_path):
    assert read_misconceptions(Course(tmp_path).misconceptions_page) == {}


def test_a_mark_without_a_section_stops_the_release(course):
    module = course.grader("test_double")
    module.write_text(module.read_text().replace('@hint("HINT-OF-DOUBLE")', '@misconception("no-such-section")'))
    module.write_text(module.read_text().replace("import array, hint", "import array, misconception"))
    done = course.nbgrader("generate_assignment", "async", "--force")
    assert done.returncode != 0
    assert "docs/students/misconceptions.md has no section no-such-section" in done.stderr


def test_each_wrong_solution_names_a_misconception_of_its_exercise(marks):
    wrong = [solution for solution in read_bank(None, COURSE) if not solution.right]
    strangers = [s.name for s in wrong if s.misconception not in marks[s.assignment, s.exercise].values()]
    assert wrong
    assert strangers == []


@pytest.mark.parametrize(
    ("explained", "complaint"),
    [
        ({"a", "b"}, ""),
        ({"b"}, "names the misconception a, but its report explains b"),
        ((), "names the misconception a, but its report explains nothing"),
    ],
)
def test_a_wrong_solution_whose_report_explains_something_else_is_a_disagreement(explained, complaint):
    solution = Solution(Path("11_bad_x.py"), "async", "loops", right=False, kills=None, misconception="a")
    trial = Trial(solution, 1.0, 2.0, {"test_1": False}, (), (), 0.1, frozenset(explained))
    assert trial.complaint == complaint


def _failing(*sentences: str) -> AssertionError:
    """The assertion that failed within these blocks, the first one outside."""
    with pytest.raises(AssertionError) as raised, saw(sentences[0]), saw(sentences[-1]):
        assert SECRET == 0, SECRET
    return raised.value


def test_a_student_reads_what_was_seen_and_not_the_assertion():
    seen = "Your loop waited after 1 of 8 steps."
    assert str(message_for_student(_failing(seen))) == seen


def test_the_inner_one_of_two_sentences_counts():
    assert str(message_for_student(_failing("outer", "inner"))) == "inner"


def test_another_note_on_an_assertion_is_not_for_students():
    failed = AssertionError()
    failed.add_note(f"the right value is {SECRET}")
    assert message_for_student(failed) is None


@pytest.mark.parametrize(
    "value", [SECRET, str(SECRET), [SECRET], (SECRET,), {SECRET: SECRET}, EngineArray([SECRET], 1), Opaque("T" * 999)]
)
def test_the_kind_of_a_value_tells_nothing_of_the_value(value):
    kind = str(kind_of(value))
    assert str(SECRET) not in kind
    assert len(kind) < 80


MODULE = """
from syncpoint.graders import misconception

@misconception("belief")
def test_that_needs_time(student):
    student.call("f")

@misconception("belief")
def test_that_fails(student):
    assert False
"""
UNWRITTEN = """
from syncpoint.graders import hint, misconception

@hint("HINT")
@misconception("belief")
def test_by_a_call(student):
    student.call("f")

@hint("HINT")
@misconception("belief")
def test_by_a_scenario(student):
    student.observe("scenario")
"""
STUB = {"types": ["NotImplementedError"], "text": "", "line": 4}


class Answering(Student):
    """A student whose kernel answers each request with an exception of the stub's."""

    def _ask(self, request: Any, buffers: Any, who: str) -> Reply:
        return Reply({"error": STUB, "observed": encode({"error": STUB}, [])})


def test_code_that_could_not_be_called_gets_no_misconception(tmp_path):
    module = tmp_path / "test_late.py"
    module.write_text(MODULE)
    written = read_explanations(module.read_bytes())
    late, failed = (
        replace(test, words=written[test.name])
        for test in run_tests(module, Student(kernel=None, deadline=Deadline(0)))
    )
    assert (late.misconception, failed.misconception) == ("", "belief")


def test_a_stub_gets_neither_a_misconception_nor_a_hint(tmp_path):
    module = tmp_path / "test_stub.py"
    module.write_text(UNWRITTEN)
    written = read_explanations(module.read_bytes())
    found = run_tests(module, Answering(kernel=SimpleNamespace(engine=None), deadline=Deadline(60)))
    outcomes = [replace(test, words=written[test.name]) for test in found]
    assert {(o.passed, o.misconception, o.hint, o.detail) for o in outcomes} == {(False, "", "", "")}
    assert [str(o.message) for o in outcomes] == [
        "`f` is not written yet (it raised NotImplementedError).",
        "Your code is not written yet (it raised NotImplementedError).",
    ]


# A wait for the input, a wait inside the loop, arrays that did not change.
SEEN_TWICE = [
    ("async/queue_work/13_bad_waits_for_input", "queue_work waited before it returned. The first wait: wait_to_read."),
    (
        "async/train_async/14_bad_every_second_batch",
        "Your loop began 2 of 12 batches before it first waited or returned.",
    ),
    ("multi_gpu/allreduce/29_bad_returns_the_sums", "None of the arrays changed."),
]


@pytest.mark.sample(1)
@pytest.mark.engine
@pytest.mark.sandbox
@pytest.mark.parametrize(("name", "sentence"), SEEN_TWICE)
def test_a_wrong_solution_reads_the_same_in_every_run_although_all_inputs_are_new(name, sentence):
    assignment, exercise, _ = name.split("/")
    bank = choose(read_bank(None, COURSE), [f"{assignment}/{exercise}"], None)
    (solution,) = (solution for solution in bank if solution.name == name)
    first, second = (
        {detail.splitlines()[0] for detail in trial.details} for trial in try_solution(COURSE, solution, repeat=2)
    )
    assert first == second
    assert any(sentence in line for line in first)


PAGE = '<a id="results-come-later"></a>\n## "It is there"\n\nTHE-BELIEF\n\n```text\nTHE-PICTURE\n```\n'


@pytest.fixture(scope="module")
def explained(released, tmp_path_factory) -> Iterator:
    """A course with a page, a mark and a sentence; ada's queue_work waits.  Graded, with feedback."""
    course = released.copy(tmp_path_factory.mktemp("explained") / "course")
    (course.root / "docs" / "students").mkdir(parents=True)
    (course.root / "docs" / "students" / "misconceptions.md").write_text(PAGE)
    course.configure('c.GradeSubmission.misconceptions_url = "https://course.example/{language}/misconceptions"\n')
    module = course.grader("test_queue_work")
    text = module.read_text().replace("@weight(3)", '@weight(3)\n@misconception("results-come-later")')
    text = text.replace("import array, hint, weight", "import array, hint, misconception, saw, weight")
    text = text.replace(
        "    assert seen.returned_while_gated",
        "    with saw('WHAT-WAS-SEEN', seen.events):\n        assert seen.returned_while_gated",
    )
    module.write_text(text)
    waits = "def queue_work(x):\n    y = nd.dot(x, x).sum()\n    y.wait_to_read()\n    return y"
    book = course.solved(queue_work=waits)
    book["cells"][-1]["source"] = (
        "MY-ANSWER: it is *there*, see [this](https://course.example/x).\n\n| a | b |\n|-|-|\n| 1 | 2 |"
    )
    course.submit("ada", book)
    run = course.nbgrader("autograde", "async")
    assert run.returncode == 0, run.stderr
    with course.gradebook() as gradebook:
        gradebook.find_comment("why", "work", "async", "ada").manual_comment = "MY-COMMENT"
        gradebook.db.commit()
    run = course.nbgrader("generate_feedback", "async")
    assert run.returncode == 0, run.stderr
    return course


@pytest.mark.engine
@pytest.mark.sandbox
def test_the_feedback_explains_and_leads_on(explained):
    page = explained.feedback("ada")
    words = (
        "WHAT-WAS-SEEN",
        "HINT-OF-WAITING",
        "THE-BELIEF",
        "THE-PICTURE",
        "https://course.example/en/misconceptions#results-come-later",
    )
    assert [word for word in words if word not in page] == []
    assert "HIDDEN-DETAIL" not in page


@pytest.mark.engine
@pytest.mark.sandbox
def test_the_same_is_there_as_plain_text(explained):
    done = explained.run("syncpoint", "feedback", "ada", "async")
    words = ("work.ipynb", "1 of 4 points", "WHAT-WAS-SEEN", "HINT-OF-WAITING", "THE-BELIEF", "THE-PICTURE")
    assert (done.returncode, [word for word in words if word not in done.stdout]) == (0, [])
    assert "HIDDEN-DETAIL" not in done.stdout
    assert "<" not in done.stdout


@pytest.mark.engine
@pytest.mark.sandbox
def test_the_misconception_is_kept_with_the_verdict(explained):
    (notebook,) = read_graded(Course(explained.root), "ada", "async")
    stored = {o.name: o.misconception for exercise in notebook.notebook_result.exercises for o in exercise.tests}
    assert stored["test_does_not_wait"] == "results-come-later"


@pytest.mark.engine
@pytest.mark.sandbox
@pytest.mark.axe
@pytest.mark.parametrize(("scheme", "width"), [("light", 1200), ("dark", 1200), ("light", 390)])
def test_the_feedback_keeps_to_wcag(explained, browser, scheme, width):
    with browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 800}) as context:
        page = context.new_page()
        page.goto((explained.root / "feedback" / "ada" / "async" / "work.html").as_uri())
        assert page.locator("svg[role=img][aria-label]").count() == 1  # the timeline
        assert page.get_by_text("MY-ANSWER").count() and page.get_by_text("MY-COMMENT").count()
        assert violations(page) == []
        for box in page.locator("details").all():
            box.evaluate("element => element.open = true")
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (sum(map(int, re.findall(r"\d+", paper)[:3])) < 3 * 128) == (scheme == "dark")


@pytest.mark.engine
@pytest.mark.sandbox
def test_the_keyboard_alone_opens_what_the_feedback_explains(explained, browser):
    page = browser.new_page()
    page.goto((explained.root / "feedback" / "ada" / "async" / "work.html").as_uri())
    reached = tabbed(page)
    links = page.locator("a[href]").all()
    hidden = page.locator("details:not([open]) a[href]").count()
    assert len(links) > 3 and len([stop for stop in reached if stop.startswith("a:")]) == len(links) - hidden
    page.reload()
    for place, words in enumerate(["<- HERE", "A common belief"]):  # the timeline in words, and the belief
        tab_to(page, "summary:")
        page.keyboard.press("Enter")
        box = page.locator("details").nth(place)
        assert box.evaluate("element => element.open") and words in box.inner_text()
    tab_to(page, "a:")
    assert "misconceptions#results-come-later" in page.evaluate("document.activeElement.href")
    page.close()
