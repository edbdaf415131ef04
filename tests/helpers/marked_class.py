"""A class whose marks go to a learning platform: one assignment of 10 points, one student of each kind."""

from pathlib import Path

from classroom import ROOT
from generated_class import empty_gradebook
from nbgrader.api import Gradebook
from typer.testing import CliRunner

from syncpoint.cli import app
from syncpoint.course.folder import Course
from syncpoint.records.accommodations import excuse
from syncpoint.records.database import upgrade
from syncpoint.records.student_details import set_student_id

# By student: points by tests, points by a person (None: not read yet), late penalty.
MARKS: dict[str, tuple[float, float | None, float]] = {
    "ada": (6.0, 4.0, 0.0),
    "ben": (3.0, 2.0, 1.0),
    "cy": (6.0, None, 0.0),
    "dora": (6.0, 3.0, 0.0),  # is excused
}
PEOPLE = ("ada", "ben", "cy", "dora", "eve")  # eve has not submitted
NUMBERS = {name: str(100 + place) for place, name in enumerate(PEOPLE)}  # on the platform


class MarkedClass:
    """The course folder."""

    def __init__(self, root: Path, kind: str):
        self.root = root
        (root / "source" / "hw").mkdir(parents=True)
        (root / "source" / "hw" / "work.ipynb").write_text("{}")
        config = (ROOT / "nbgrader_config.py").read_text()
        (root / "nbgrader_config.py").write_text(config)
        (root / "gradebook.db").write_bytes(empty_gradebook())
        with self.gradebook() as gradebook:
            gradebook.add_assignment("hw")
            gradebook.add_notebook("work", "hw")
            gradebook.add_grade_cell("test_a", "work", "hw", max_score=6, cell_type="code")
            gradebook.add_grade_cell("why", "work", "hw", max_score=4, cell_type="markdown")
            for name in PEOPLE:
                ids = {"lms_user_id": NUMBERS[name]} if kind == "lms_user_id" else {}
                gradebook.add_student(name, first_name=name.title(), last_name="Test", **ids)
            for name in MARKS:
                gradebook.add_submission("hw", name)
            upgrade(gradebook.engine)
            excuse(gradebook.db(), "dora", "hw", "ill")
            if kind != "lms_user_id":
                for name in PEOPLE:
                    set_student_id(gradebook.db(), name, kind, f"u-{name}")
            gradebook.db.commit()
        for name in MARKS:
            self.mark(name, *MARKS[name])

    @property
    def course(self) -> Course:
        return Course(self.root)

    def gradebook(self) -> Gradebook:
        return Gradebook(f"sqlite:///{self.root}/gradebook.db", "syncpoint")

    def configure(self, line: str) -> None:
        with (self.root / "nbgrader_config.py").open("a") as config:
            config.write(f"{line}\n")

    def mark(self, name: str, by_tests: float, by_hand: float | None, penalty: float = 0.0) -> None:
        """Give a mark, as grading and a teacher do."""
        with self.gradebook() as gradebook:
            grade = gradebook.find_grade("test_a", "work", "hw", name)
            grade.auto_score, grade.needs_manual_grade = by_tests, False
            answer = gradebook.find_grade("why", "work", "hw", name)
            answer.manual_score, answer.needs_manual_grade = by_hand, by_hand is None
            gradebook.find_submission_notebook("work", "hw", name).late_submission_penalty = penalty
            gradebook.db.commit()

    def run(self, *words: str) -> tuple[int, str]:
        """Run ``syncpoint ...`` in the course: exit status and all that it says."""
        return self.type_in("syncpoint", *words)

    def type_in(self, *words: str) -> tuple[int, str]:
        """Run a command line."""
        done = CliRunner().invoke(app, [*words[1:], "--course", str(self.root)])
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done.exit_code, done.output

    def send(self, *options: str) -> tuple[int, str]:
        """Run ``syncpoint send-marks hw --send``."""
        return self.run("send-marks", "hw", "--send", *options)
