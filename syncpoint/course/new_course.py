"""Creates a course in a new folder, which separates private files from those that students get."""

import json
import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from .errors import CourseError
from .folder import CONFIG, Course
from .gradebook_setting import with_gradebook
from .write_together import write_together

ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
CACHES = shutil.ignore_patterns("__pycache__", ".*")
LOCALE = "locale"
FOLDERS = ("source", "grader_tests")
COURSE_ID = "\n# This course, with its own gradebook.\nc.CourseDirectory.course_id = {}\n"
IGNORED = """\
.venv*
.syncpoint/
gradebook.db*
/*.db*
/*.csv
/*.parquet
/*.zip
.nbgrader.log
submitted/
autograded/
feedback/
build/
__pycache__/
.ipynb_checkpoints/
"""
README = """\
# The course {name}

Create an assignment, and exercises in it:

    syncpoint new steps
    syncpoint new steps power

The commands are in the Python environment where Syncpoint is installed. If you created this course from a clone, run
`export PATH="CLONE/.venv/bin:$PATH"` first; the engines here are links to those of the clone.

Student code runs in the environment of an engine, `.venv-torch` for PyTorch. `syncpoint engine install torch` creates
it, and updates it after an upgrade of Syncpoint.

## What must stay private

Keep this folder, and every copy of it, where students cannot read it. If it is in a repository, keep that private.

| folder or file | why only teachers may read it |
|---|---|
| `source/` | has the solutions and the hidden lines |
| `grader_tests/` | the hidden tests, and in each `bank/` right and wrong answers |
| `gradebook.db`, `submitted/`, `autograded/`, `feedback/` | students' names, work and marks; git ignores them here |
| `*.db`, `*.csv`, `*.parquet`, `*.zip` next to this file | the same: copies of the gradebook, exports, downloads |

Students get `release/<assignment>/` and nothing else.
While it is graded, student code can read a copy of its assignment's `scenarios.py`, which contains no answers.

## What is already public

The assignments that come with Syncpoint are public with their solutions, graders and banks: a student who looks for an
answer finds it. Use them for practice. For marks, write your own exercises here: other functions, other questions.
"""


def begin_course(model: Course, folder: Path, assignments: Sequence[str] = ()) -> list[Path]:
    """Create a course with the settings, engines and some assignments of another one.

    Assignments that they use and translations are copied as well. The folder's name becomes its id.

    Raises:
        CourseError: If the folder is not empty, if a file cannot be written, or if the other course has no such
            assignment.
    """
    for assignment in assignments:
        model.check_assignment(assignment)
    folder = Path(os.path.abspath(folder))  # relative to the typed path, ../autumn-2026 is not below it
    if not ID.fullmatch(folder.name):
        raise CourseError(f"{folder.name!r} is not a valid course name: use letters, digits, _, - and dots.")
    if folder.is_symlink() or folder.is_file() or (folder.is_dir() and any(folder.iterdir())):
        raise CourseError(f"{folder} already exists, and nothing is overwritten: choose another folder.")
    real = folder.parent.resolve()
    if any((above / CONFIG).exists() for above in (*folder.parents, real, *real.parents)):
        raise CourseError(f"{folder} is inside a course, which may be public: choose a folder outside it.")
    settings = (model.root / CONFIG).read_text(encoding="utf-8")
    files = {
        folder / CONFIG: with_gradebook(settings) + COURSE_ID.format(json.dumps(folder.name)),
        folder / "README.md": README.format(name=folder.name),
        folder / ".gitignore": IGNORED,
        **{folder / name / ".gitkeep": "" for name in FOLDERS},
    }
    if model.misconceptions_page.is_file():
        page = folder / model.misconceptions_page.relative_to(model.root)
        files[page] = model.misconceptions_page.read_text(encoding="utf-8")
    new, _ = write_together(files)
    try:
        new += _copy_assignments(model, folder, assignments) if assignments else []
    except OSError as problem:  # shutil's error contains a list of problems
        raise CourseError(f"cannot copy assignments into {folder}: {problem}. Remove it and try again.") from None
    for engine in sorted(model.root.glob(".venv-*")):
        (folder / engine.name).symlink_to(engine.resolve())
    return new


def _copy_assignments(model: Course, folder: Path, assignments: Sequence[str]) -> list[Path]:
    graders = {name for assignment in assignments for name in _whose_graders(model, assignment)}
    copied = [Path("source", name) for name in sorted(set(assignments))]
    copied += [Path("grader_tests", name) for name in sorted(graders)]
    for path in copied:
        shutil.copytree(model.root / path, folder / path, ignore=CACHES)
    others = {f"{name}.po" for name in model.assignments()} - {f"{name}.po" for name in assignments}
    if (model.root / LOCALE).is_dir():
        shutil.copytree(model.root / LOCALE, folder / LOCALE, ignore=lambda _, names: others.intersection(names))
        copied.append(Path(LOCALE))
    return [folder / path for path in copied]


def _whose_graders(model: Course, assignment: str) -> set[str]:
    """Return the assignments whose grader folders this one needs: itself and those that it names."""
    settings = model.graders(assignment).settings()
    return {assignment, *filter(None, (settings.graders, settings.scenarios))}
