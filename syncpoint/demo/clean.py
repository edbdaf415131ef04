"""Takes away the students whom the demo of an older version put into the course itself, and nothing else."""

import csv
import shutil
from pathlib import Path

from ..course.folder import OF_STUDENTS, Course
from ..records.database import upgrade
from ..records.forget import sweep
from ..records.gradebook import NoGradebook, open_gradebook
from .sample_class import PREFIX


def remove_sample_classes(course: Course) -> bool:
    """Remove the students demo_* from every folder, the gradebook and grades.csv.  Returns whether there were any."""
    found = [path for folder in OF_STUDENTS for path in (course.root / folder).glob(f"{PREFIX}*")]
    for path in found:
        shutil.rmtree(path)
    remove_from_csv(course.root / "grades.csv")
    return remove_from_gradebook(course) or bool(found)


def remove_from_gradebook(course: Course) -> bool:
    """Remove the students and their grades.  Returns whether there were any."""
    try:
        with open_gradebook(course) as gradebook:
            students = [s.id for s in gradebook.students if s.id.startswith(PREFIX)]
            for student in students:
                gradebook.remove_student(student)
            upgrade(gradebook.engine)
            sweep(gradebook)
    except NoGradebook:
        return False
    return bool(students)


def remove_from_csv(path: Path) -> None:
    """Remove the sample class's lines; the file goes when nobody else is in it."""
    if not path.is_file():
        return
    with path.open(newline="") as file:
        head, *rows = list(csv.reader(file)) or [[]]
    column = head.index("student_id") if "student_id" in head else None
    if column is None:
        return
    kept = [row for row in rows if not row[column].startswith(PREFIX)]
    if not kept:
        path.unlink()
    elif len(kept) < len(rows):
        with path.open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([head, *kept])
