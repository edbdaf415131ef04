"""The gradebook that is opened once in a run."""

from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest
from jsonschema import ValidationError
from nbformat.v4 import new_code_cell
from nbgrader.api import Gradebook, MissingEntry, SubmittedAssignment
from nbgrader.converters import autograde
from nbgrader.nbgraderformat import MetadataValidator, common
from sqlalchemy import select

from syncpoint.nbgrader_hooks import kept_gradebook
from syncpoint.nbgrader_hooks.kept_gradebook import Kept, done_once
from syncpoint.records.bootstrap import prepare


@pytest.fixture
def address(tmp_path: Path) -> str:
    """That of a gradebook which holds one student."""
    address = f"sqlite:///{tmp_path}/gradebook.db"
    prepare(address, "course")
    with Gradebook(address, "course") as gradebook:
        gradebook.add_student("ada")
    return address


def test_a_run_opens_it_once_and_leaves_nothing_changed(address: str):
    with done_once():
        with autograde.Gradebook(address, "course") as first:
            first.add_student("ben")
        with autograde.Gradebook(address, "course") as second:
            assert second is first
            assert [student.id for student in second.students] == ["ada", "ben"]
    assert autograde.Gradebook is Gradebook


def test_what_was_not_committed_ends_with_its_block(address: str):
    with done_once():
        with autograde.Gradebook(address, "course") as gradebook:
            gradebook.find_student("ada").first_name = "Ada"
            gradebook.db.flush()
        with Gradebook(address, "course") as other:  # nobody holds the database
            other.update_or_create_student("ada", last_name="L.")
        with autograde.Gradebook(address, "course") as gradebook:
            assert gradebook.find_student("ada").first_name is None
            assert gradebook.find_student("ada").last_name == "L."


def release(gradebook: Gradebook) -> None:
    """An assignment of one exercise and a locked cell."""
    gradebook.add_assignment("steps")
    gradebook.add_notebook("work", "steps")
    gradebook.add_grade_cell("test_f", "work", "steps", max_score=2, cell_type="code")
    gradebook.add_source_cell("imports", "work", "steps", cell_type="code", source="import os", checksum="1")


def release_anew(gradebook: Gradebook) -> None:
    gradebook.remove_assignment("steps")
    release(gradebook)


CHANGES: dict[str, Callable[[Gradebook], object]] = {
    "a cell more": lambda other: other.add_grade_cell("test_g", "work", "steps", max_score=1, cell_type="code"),
    "a task more": lambda other: other.add_task_cell("essay", "work", "steps", max_score=1, cell_type="markdown"),
    "a notebook more": lambda other: other.add_notebook("more", "steps"),
    "points": lambda other: other.update_or_create_grade_cell("test_f", "work", "steps", max_score=5),
    "a text": lambda other: other.update_or_create_source_cell("imports", "work", "steps", source="", checksum="2"),
    "the due date": lambda other: other.update_or_create_assignment("steps", duedate="2026-10-01 12:00 UTC"),
    "removed": lambda other: other.remove_assignment("steps"),
    "removed and released anew": release_anew,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_others_do_to_the_assignment_in_a_run_holds_from_the_next_submission_on(
    address: str, change: Callable[[Gradebook], object]
):
    def begin(student: str) -> list[object]:
        """What nbgrader finds when it begins with a student's work."""
        with autograde.Gradebook(address, "course") as gradebook:
            gradebook.update_or_create_student(student)
        with autograde.Gradebook(address, "course") as gradebook:
            try:
                gradebook.update_or_create_submission("steps", student)
            except MissingEntry:
                return ["missing"]
        with autograde.Gradebook(address, "course") as gradebook:
            found = gradebook.find_submission("steps", student)
            grades = sorted(one.name for book in found.notebooks for one in book.grades)
            cell = gradebook.find_graded_cell("test_f", "work", "steps")
            text = gradebook.find_source_cell("imports", "work", "steps").source
            books = [book.name for book in found.notebooks]
            return [grades, books, cell.max_score, text, found.duedate]

    with Gradebook(address, "course") as gradebook:
        release(gradebook)
    with done_once():
        before = begin("ada")
        with Gradebook(address, "course") as other:
            change(other)
        after = begin("ben")
        with Gradebook(address, "course") as other:
            assert change is release_anew or before != after
            assert (
                other.db.scalars(select(SubmittedAssignment).where(~SubmittedAssignment.assignment.has())).all() == []
            )
    assert begin("cleo") == after  # stock nbgrader


def test_what_is_missing_is_said_in_nbgraders_words(address: str):
    def said(gradebook: Gradebook) -> list[str]:
        finds: list[Callable[[], object]] = [
            lambda: gradebook.find_student("nobody"),
            lambda: gradebook.find_submission("steps", "nobody"),
            lambda: gradebook.find_grade("test_f", "work", "steps", "nobody"),
            lambda: gradebook.find_comment("f", "work", "steps", "nobody"),
        ]
        words = []
        for find in finds:
            with pytest.raises(MissingEntry) as problem:
                find()
            words.append(str(problem.value))
        return words

    with Gradebook(address, "course") as gradebook:
        stock = said(gradebook)
    with done_once(), autograde.Gradebook(address, "course") as gradebook:
        assert isinstance(gradebook, Kept)
        assert said(gradebook) == stock


def test_a_session_that_cannot_be_ended_does_not_stay(address: str, monkeypatch: pytest.MonkeyPatch):
    class Stuck(kept_gradebook.scoped_session):  # type: ignore[type-arg]
        def remove(self) -> None:
            raise RuntimeError

    with done_once(), autograde.Gradebook(address, "course") as gradebook:
        own = gradebook.db
        monkeypatch.setattr(kept_gradebook, "scoped_session", Stuck)
        with pytest.raises(RuntimeError):
            gradebook.find_notebook("work", "steps")
        assert gradebook.db is own


def test_who_opens_it_twice_at_once_gets_another(address: str):
    with (
        done_once(),
        autograde.Gradebook(address, "course") as outer,
        autograde.Gradebook(address, "course") as inner,
    ):
        assert inner is not outer
        assert not isinstance(inner, Kept)


def test_a_gradebook_that_was_replaced_is_opened_anew(address: str, tmp_path: Path):
    with done_once():
        with autograde.Gradebook(address, "course") as gradebook:
            gradebook.add_student("ben")
        prepare(f"sqlite:///{tmp_path}/backup.db", "course")
        (tmp_path / "backup.db").rename(tmp_path / "gradebook.db")
        with autograde.Gradebook(address, "course") as gradebook:
            assert gradebook.students == []


@pytest.mark.parametrize(
    "change", [{}, {"points": "many"}, {"grade": 1}, {"grade_id": "no id"}, {"points": -1}, {"more": True}]
)
def test_a_cell_is_refused_for_what_it_is_refused_for_by_nbgrader(change: dict[str, object]):
    marks = {"grade": True, "grade_id": "a", "locked": True, "solution": False, "schema_version": 3, "points": 1.0}
    cell = new_code_cell("", metadata={"nbgrader": marks | {"task": False, "cell_type": "code"} | change})

    def refused() -> str:
        try:
            MetadataValidator().validate_cell(cell)
        except ValidationError as problem:
            return str(problem)
        return ""

    stock = refused()
    assert bool(stock) == bool(change)
    with done_once():
        assert [refused(), refused()] == [stock, stock]
    assert common.jsonschema is jsonschema
