"""The demo, run on a sample class of the small course."""

import html
import re
from dataclasses import replace
from pathlib import Path

import pytest
from classroom import ROOT, SmallCourse
from small_class import CLASS, EARNED, add_class, syncpoint

from syncpoint.course.folder import Course
from syncpoint.demo.make_demo import one_of_each_engine_first
from syncpoint.demo.sample_class import assignments_with_a_class, read_class


def add_broken_class(course: SmallCourse, assignment: str = "broken", engine: str = "mxnet") -> Path:
    """Write the class.toml of another assignment, which is not in order."""
    path = course.root / "grader_tests" / assignment / "bank" / "class.toml"
    path.parent.mkdir(parents=True)
    path.write_text(CLASS.replace("seconds", "minutes", 1))
    settings = course.root / "grader_tests" / assignment / "assignment.toml"
    settings.write_text(f'engine = "{engine}"\n')
    return path


@pytest.fixture(scope="module")
def shown(released: SmallCourse, tmp_path_factory: pytest.TempPathFactory) -> tuple[SmallCourse, str]:
    """The small course with a student of its own after the demo of one assignment, and what the demo said."""
    course = released.copy(tmp_path_factory.mktemp("shown") / "course")
    course.submit("ada", course.solved())
    add_class(course)
    add_broken_class(course)
    status, output, errors = syncpoint(course, "demo", "--assignment", "async", "--all")
    assert status == 0, output + errors
    return course, output


def own(course: SmallCourse) -> SmallCourse:
    """The demo's course."""
    return SmallCourse(course.root / "build" / "demo")


def test_every_student_gets_what_the_answers_earn(shown: tuple[SmallCourse, str]):
    assert own(shown[0]).scores() == EARNED


def test_the_course_itself_stays_as_it_was(shown: tuple[SmallCourse, str]):
    course = shown[0]
    assert course.scores() == {}
    assert [path.name for path in (course.root / "submitted").iterdir()] == ["ada"]
    assert not (course.root / "autograded").exists() and not (course.root / "feedback").exists()


def test_the_limits_of_the_class_are_used_and_not_kept(shown: tuple[SmallCourse, str]):
    course, output = shown
    assert "with cell_seconds = 9" in output
    assert "cell_seconds = 9" not in (own(course).root / "nbgrader_config.py").read_text()


def test_it_tells_what_each_did_and_what_the_judge_made_of_it(shown: tuple[SmallCourse, str]):
    output = " ".join(shown[1].split())
    assert "waits for its result queue_work: 1 of 4." in output.replace("async ", "")
    assert "Full marks." in output


def test_the_page_leads_to_everybodys_feedback(shown: tuple[SmallCourse, str]):
    course, output = own(shown[0]), shown[1]
    assert "build/demo/index.html" in output
    page = (course.root / "index.html").read_text()
    links = re.findall(r'href="([^"]+)"', page)
    assert len(links) == len(EARNED) and all((course.root / link).is_file() for link in links)
    assert "waits for its result" in html.unescape(page)


def test_the_commands_that_it_names_work(shown: tuple[SmallCourse, str]):
    course, output = shown
    command = next(line.split()[3:] for line in output.splitlines() if "why these points" in line)
    status, answer, errors = syncpoint(course, *command[1:])
    assert (status, "points" in answer) == (0, True), errors


def test_without_all_only_students_with_a_description_are_shown(course: SmallCourse):
    add_class(course)
    sample = read_class(Course(course.root), "async")
    assert [member.name for member in sample.telling.members] == ["waits"]
    silent = replace(sample, members=tuple(replace(member, did="") for member in sample.members))
    assert silent.telling == silent


@pytest.mark.exhaustive
def test_clean_removes_only_the_demo(shown: tuple[SmallCourse, str], tmp_path: Path):
    course = shown[0].copy(tmp_path / "course")
    course.must_run("nbgrader", "autograde", "async", "--student", "ada")
    assert syncpoint(course, "demo", "--clean")[:2] == (0, "demo: removed.\n")
    assert course.scores() == {"ada": (4, 2)}
    assert not (course.root / "build" / "demo").exists()
    assert syncpoint(course, "demo", "--clean")[:2] == (0, "demo: there was nothing to remove.\n")


def test_a_folder_that_is_not_the_demos_is_left_alone(course: SmallCourse):
    add_class(course)
    stored = course.root / "build" / "demo" / "kept.txt"
    stored.parent.mkdir(parents=True)
    stored.write_text("mine")
    for option in ((), ("--clean",)):
        status, _, errors = syncpoint(course, "demo", *option)
        assert (status, "was not made by the demo" in errors, stored.read_text()) == (1, True, "mine")


def test_a_mistake_in_any_class_stops_the_demo_before_anything_is_written(course: SmallCourse):
    add_class(course)
    place = add_broken_class(course)
    status, _, errors = syncpoint(course, "demo")
    assert (status, errors) == (
        1,
        f"syncpoint: {place}: budget.minutes is unknown; known names: seconds, memory_mib.\n",
    )
    assert not (course.root / "submitted").exists()


def test_an_assignment_of_each_engine_comes_before_a_second_one_of_the_first(course: SmallCourse):
    add_class(course)
    add_broken_class(course, "async_too")
    second = add_broken_class(course, "other_engine", "torch")
    status, _, errors = syncpoint(course, "demo")
    assert (status, errors.partition(": budget")[0]) == (1, f"syncpoint: {second}")


def test_the_demo_of_this_course_begins_with_an_assignment_of_each_engine():
    course = Course(ROOT)
    everything = assignments_with_a_class(course)
    shown = one_of_each_engine_first(course, everything)
    engines = [course.settings_of(assignment).engine for assignment in shown]
    assert sorted(shown) == sorted(everything)
    assert len(set(engines)) > 1 and len(set(engines[: len(set(engines))])) == len(set(engines))
