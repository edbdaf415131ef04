"""Written answers of students in the small course: nbgrader's copy of each, a rubric, and a person's marks."""

from classroom import SmallCourse
from nbgrader.api import Gradebook

from syncpoint.course.folder import Course


def with_rubric(course: SmallCourse, rubric: str) -> Course:
    """The course, with a rubric for its written answer."""
    folder = course.root / "grader_tests" / "async" / "rubrics"
    folder.mkdir()
    (folder / "why.toml").write_text(rubric)
    return Course(course.root)


def write_answer(course: Course, gradebook: Gradebook, student: str, text: str) -> None:
    """Have a student submit this answer."""
    gradebook.update_or_create_student(student)
    gradebook.update_or_create_submission("async", student)
    path = course.root / "autograded" / student / "async" / "work.ipynb"
    path.parent.mkdir(parents=True)
    release = (course.root / "release" / "async" / "work.ipynb").read_text()
    path.write_text(release.replace("YOUR ANSWER HERE", text))


def give_mark(gradebook: Gradebook, student: str, points: float, comment: str, unread: bool = False) -> None:
    """Mark an answer as a person does, or, with ``unread``, an earlier text of it."""
    grade = gradebook.find_grade("why", "work", "async", student)
    grade.manual_score, grade.needs_manual_grade = points, unread
    gradebook.find_comment("why", "work", "async", student).manual_comment = comment


def leave_empty(gradebook: Gradebook, student: str) -> None:
    """What nbgrader writes for a student without an answer."""
    grade = gradebook.find_grade("why", "work", "async", student)
    grade.auto_score, grade.needs_manual_grade = 0.0, False
    gradebook.find_comment("why", "work", "async", student).auto_comment = "No response."
