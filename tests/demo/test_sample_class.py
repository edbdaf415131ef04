"""The sample classes: every class.toml is checked, and its students submit what it describes."""

import pytest
from classroom import DOUBLE, ROOT, SmallCourse
from small_class import CLASS, WAITS, add_class

from syncpoint.course.errors import CourseError
from syncpoint.course.folder import Course
from syncpoint.demo.corruptions import AT_AN_EXERCISE, EVERYWHERE
from syncpoint.demo.sample_class import read_class, submission_of
from syncpoint.demo.sample_submission import SampleSubmission, reference_solutions

ASSIGNMENTS = sorted({path.parent.name for path in (ROOT / "source").glob("*/*.ipynb")})


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_every_assignment_has_a_class_with_right_students_and_others(assignment: str):
    members = read_class(Course(ROOT), assignment).members
    right = [p for p in members if p.solves and not p.spoil and all("_ok_" in path.name for path in p.answers.values())]
    assert 2 <= len(right) < len(members)


@pytest.fixture(scope="module")
def unreleased(tmp_path_factory: pytest.TempPathFactory) -> SmallCourse:
    """The small course as its instructor wrote it."""
    return SmallCourse.make(tmp_path_factory.mktemp("unreleased"))


WRONG = {
    "unknown table": ("[budget]", "[budgets]", "budgets is unknown"),
    "no budget": ("seconds = 60", "", "budget.seconds is missing"),
    "budget is no number": ("seconds = 60", "seconds = true", "budget.seconds must be a number above 0"),
    "unknown limit": ("cell_seconds", "cell_minutes", "limits.cell_minutes is unknown"),
    "unknown question": ("[essays]\nwhy", "[essays]\nwho", "essays.who is unknown; known names: why"),
    "no name": ('name = "waits"', "", "students[2].name is missing"),
    "odd name": ('"waits"', '"../waits"', "students[../waits].name must consist of"),
    "same name": ('"waits"', '"right"', "students has right twice"),
    "unknown key": ('name = "right"', 'name = "right"\nage = 20', "students[right].age is unknown"),
    "unknown exercise": ("answers.queue_work", "answers.queue", "students[waits].answers.queue is unknown"),
    "no such file": ('"11_bad', '"12_bad', "students[waits].answers.queue_work names"),
    "unknown corruption": ("syntax_error", "syntax_eror", "students[broken].spoil is unknown"),
    "corruption nowhere": ('at = "double"', "", "students[broken].at must be one of queue_work, double"),
    "corruption elsewhere": ("syntax_error", "forger", "students[broken].at is only for spoil"),
    "text for a truth": ("solves = false", 'solves = "no"', "students[idle].solves must be true or false"),
    "no TOML": ("[budget]", "[budget", "is not a TOML file"),
}


@pytest.mark.parametrize(("old", "new", "error"), WRONG.values(), ids=WRONG)
def test_a_mistake_in_class_toml_is_one_line_with_file_and_key(unreleased: SmallCourse, old: str, new: str, error: str):
    assert old in CLASS
    path = add_class(unreleased, CLASS.replace(old, new, 1))
    with pytest.raises(CourseError) as problem:
        read_class(Course(unreleased.root), "async")
    assert str(problem.value).startswith(str(path)) and error in str(problem.value)
    assert "\n" not in str(problem.value)


def test_a_missing_class_is_one_line_with_the_file(unreleased: SmallCourse):
    with pytest.raises(CourseError, match=r"nobody/bank/class\.toml is missing"):
        read_class(Course(unreleased.root), "nobody")


@pytest.fixture
def submissions(course: SmallCourse) -> dict[str, SampleSubmission]:
    """The submission of each student of the small course."""
    add_class(course)
    inner = Course(course.root)
    return {member.name: submission_of(member, inner, "async") for member in read_class(inner, "async").members}


def test_the_reference_stands_where_nothing_else_is_said(submissions: dict[str, SampleSubmission]):
    assert submissions["waits"].cell("double").source.strip() == DOUBLE


def test_who_solves_nothing_hands_in_the_release(submissions: dict[str, SampleSubmission], released: SmallCourse):
    assert submissions["idle"] == SampleSubmission.released(Course(released.root), "async")


def test_comments_of_the_bank_stay_in_the_bank(submissions: dict[str, SampleSubmission]):
    assert submissions["waits"].cell("queue_work").source == WAITS.split("\n", 2)[2]


def test_an_essay_of_ones_own_comes_before_that_of_the_class(submissions: dict[str, SampleSubmission]):
    assert [submissions[name].cell("why").source for name in ("right", "waits")] == [
        "Because it is so.",
        "I do not know.",
    ]


def solved(course: SmallCourse) -> SampleSubmission:
    """A submission with the reference solution."""
    inner = Course(course.root)
    filled = SampleSubmission.released(inner, "async")
    for exercise, solution in reference_solutions(inner, "async").items():
        filled.cell(exercise).source = solution
    return filled


@pytest.mark.parametrize("name", AT_AN_EXERCISE)
def test_a_corruption_at_an_exercise_changes_the_submission(released: SmallCourse, name: str):
    corrupted = solved(released)
    AT_AN_EXERCISE[name](corrupted, "double")
    assert corrupted != solved(released)


@pytest.mark.parametrize("name", EVERYWHERE)
def test_a_corruption_everywhere_changes_the_submission(released: SmallCourse, name: str):
    corrupted = solved(released)
    EVERYWHERE[name](corrupted)
    assert corrupted != solved(released)


def test_a_syntax_error_is_one(released: SmallCourse):
    corrupted = solved(released)
    AT_AN_EXERCISE["syntax_error"](corrupted, "double")
    with pytest.raises(SyntaxError):
        compile(corrupted.cell("double").source, "double", "exec")


def test_a_forger_forges_what_the_released_cell_defines(released: SmallCourse):
    forged = SampleSubmission.released(Course(released.root), "async")
    EVERYWHERE["forger"](forged)
    assert "\nqueue_work = Agrees()\n" in forged.cell("queue_work").source
