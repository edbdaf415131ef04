"""The release of an assignment: its generated files, and whether release, source and gradebook have the same cells."""

import functools
import json
import shutil
import tempfile
from collections.abc import Mapping
from functools import partial
from hashlib import sha256
from pathlib import Path

import nbformat
from nbgrader import utils
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.coursedir import CourseDirectory

from .check_wheel import NAME as CHECK
from .errors import CourseError, NotForStudents
from .folder import Course
from .nbgrader_command import quiet_nbgrader
from .shared_files import SharedFiles
from .variants import fill_notebook
from .visible import VISIBLE_FOLDER, add_visible, visible_tests
from .wheel import CannotBuild, wheel

REQUIREMENTS = "requirements.txt"
AGENTS = Path(__file__).with_name("AGENTS.md")  # asks AI assistants to tutor; an assignment may have its own
# The files of a release that git contains, by suffix (.gitignore); wheels, requirements and data are added when the
# release is made.
IN_GIT = frozenset({".ipynb", ".json", ".py"})
KINDS = ("grade", "solution", "task", "source")  # of the cells that nbgrader keeps
CHANGING = '"Change an assignment after students have submitted" in docs/how-to/write-an-exercise.md'


def stale_files(course: Course, assignment: str) -> list[str]:
    """Return the released files that differ from freshly generated ones, or raise CommandFailed."""
    with tempfile.TemporaryDirectory(prefix="syncpoint-release-") as folder:
        quiet_nbgrader(
            course.root,
            *("generate_assignment", assignment, "--force", "--db", f"sqlite:///{folder}/gradebook.db"),
            f"--CourseDirectory.release_directory={folder}/release",
        )
        return differing_files(Path(folder, "release", assignment), course.root / "release" / assignment)


def add_engine_files(course: Course, assignment: str, folder: Path) -> None:
    """Add the engine's files, visible tests and, if missing, `AGENTS.md` to a release, or raise CourseError."""
    engine = course.engine(course.settings_of(assignment).engine)
    for path in engine.release_files:
        try:
            name, content = wheel(path) if path.is_dir() else (path.name, path.read_bytes())
        except (OSError, CannotBuild) as problem:
            text = f"{assignment}: a file of the engine {engine.name} cannot be released: {problem}"
            raise CourseError(text) from None
        Path(folder, name).write_bytes(content)
    if not Path(folder, AGENTS.name).exists():
        Path(folder, AGENTS.name).write_bytes(AGENTS.read_bytes())
    try:
        add_visible(course, assignment, folder)
    except (OSError, CannotBuild, NotForStudents) as problem:
        raise CourseError(f"{assignment}: its visible tests cannot be released: {problem}") from None


def variant_files(course: Course, assignment: str, variant: str) -> dict[str, str]:
    """Return the files that differ between a release and one with the values of a variant, by path."""
    release = course.release(assignment).folder
    found = {f"{VISIBLE_FOLDER}/{name}": text for name, text in visible_tests(course, assignment, variant).items()}
    for path in release.rglob("*.ipynb"):
        notebook = fill_notebook(nbformat.read(path, as_version=4), variant)
        found[path.relative_to(release).as_posix()] = nbformat.writes(notebook) + "\n"
    there = {name: (release / name).read_text(encoding="utf-8") for name in found if (release / name).is_file()}
    return {name: text for name, text in found.items() if text != there.get(name)}


def write_variants(course: Course, assignment: str, variants: Mapping[str, str]) -> None:
    """Write ``variants/<student>/<assignment>/``: the release with each student's values."""
    shared, files = SharedFiles(course.root, assignment), functools.cache(partial(variant_files, course, assignment))
    for student, variant in variants.items():
        folder = course.root / "variants" / student / assignment
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(course.release(assignment).folder, folder, copy_function=shared.copy)
        for name, text in files(variant).items():
            (folder / name).unlink(missing_ok=True)  # writing through a link would change all folders
            (folder / name).write_text(text, encoding="utf-8")


def add_requirements(course: Course, assignment: str, folder: Path) -> None:
    """Write students' requirements, the engine's set and the wheels with their hashes, or raise CourseError."""
    engine = course.engine(course.settings_of(assignment).engine)
    if engine.student_requirements is None:
        return
    try:
        pinned = engine.student_requirements.read_text(encoding="utf-8")
    except OSError as problem:
        text = f"{assignment}: what students install for the engine {engine.name} cannot be released: {problem}"
        raise CourseError(text) from None
    wheels = (path for path in sorted(folder.glob("*.whl")) if f"./{path.name} " not in pinned)
    lines = [f"./{path.name} \\\n    --hash=sha256:{sha256(path.read_bytes()).hexdigest()}\n" for path in wheels]
    Path(folder, REQUIREMENTS).write_text(pinned + "".join(lines), encoding="utf-8")


def differing_files(made: Path, current: Path) -> list[str]:
    """Return which of a release's files differ from a new one's; those that git does not keep may be missing."""
    these, those = contents(made), contents(current)
    names = those.keys() | {name for name in these if in_git(Path(name))}
    return sorted(name for name in names if these.get(name) != those.get(name))


def missing_files(course: Course, assignment: str, folder: Path) -> list[str]:
    """Return which generated files a release lacks, as in a fresh clone; wheels are patterns."""
    engine, source = course.engine(course.settings_of(assignment).engine), course.source(assignment).folder
    ignored = CourseDirectory(config=course.settings()).ignore
    files = [Path(name).relative_to(source) for name in utils.find_all_files(str(source), [*ignored, "*.ipynb"])]
    files += [Path(path.name) for path in engine.release_files if not path.is_dir()]
    files += [Path(AGENTS.name)]
    files += [Path(REQUIREMENTS)] if engine.student_requirements else []
    wheels = [f"{name}-*.whl" for name in (*(path.name for path in engine.release_files if path.is_dir()), CHECK)]
    missing = [path.as_posix() for path in files if not Path(folder, path).is_file()]
    return sorted(missing + [pattern for pattern in wheels if not any(folder.glob(pattern))])


def cells_by_kind(notebook: Path) -> set[tuple[str, str]]:
    """Return kinds ("grade", "solution", "task", "source") and ids of the cells that nbgrader keeps."""
    current = set()
    for cell in nbformat.read(notebook, as_version=4).cells:
        is_kind = {"grade": utils.is_grade(cell), "solution": utils.is_solution(cell), "task": utils.is_task(cell)}
        kinds = [kind for kind, fits in is_kind.items() if fits]
        if kinds or utils.is_locked(cell):
            current |= {(kind, cell.metadata.nbgrader.grade_id) for kind in (*kinds, "source")}
    return current


def changed_cells(gradebook: Gradebook, assignment: str, folder: Path) -> list[str]:
    """Return the cells that only the gradebook or only the notebooks of a folder have."""
    new = {path.stem: cells_by_kind(path) for path in folder.glob("*.ipynb")}
    old = {
        notebook.name: {(kind, cell.name) for kind in KINDS for cell in getattr(notebook, f"{kind}_cells")}
        for notebook in gradebook.find_assignment(assignment).notebooks
    }
    cells = {
        f"{cell} of {book}"
        for book in old.keys() | new.keys()
        for _, cell in old.get(book, set()) ^ new.get(book, set())
    }
    return sorted(cells | {f"{book}.ipynb" for book in old.keys() ^ new.keys()})


class NotEntered(CourseError):
    """The gradebook does not have an assignment; the text says how to enter it."""


class GradedWork(CourseError):
    """Students were graded on other cells than the source has; the text explains, ``fix`` says what to do."""

    def __init__(self, problem: str, fix: str):
        super().__init__(f"{problem}: {fix}.")
        self.fix = fix


def check_graded_work(gradebook: Gradebook, assignment: str, folder: Path) -> None:
    """Raise GradedWork if students were graded on other cells than a folder's notebooks have."""
    try:
        students = len(gradebook.find_assignment(assignment).submissions)
    except MissingEntry:
        return
    if students and (cells := changed_cells(gradebook, assignment, folder)):
        work = f"graded work of {students} student{'' if students == 1 else 's'}"
        problem = f"{assignment} has {work}, and source/{assignment} no longer has the same cells ({', '.join(cells)})"
        raise GradedWork(problem, f"restore source/{assignment}, or see {CHANGING}")


def check_gradebook(gradebook: Gradebook, course: Course, assignment: str) -> None:
    """Raise CourseError unless gradebook, release and source have the same cells."""
    release = course.root / "release" / assignment
    if not release.is_dir():
        raise CourseError(f"release/{assignment} is missing: run `nbgrader generate_assignment {assignment}`.")
    again = f"run `nbgrader generate_assignment {assignment} --force` again."
    try:
        notebooks = gradebook.find_assignment(assignment).notebooks
    except MissingEntry:
        notebooks = []
    if not notebooks:
        enter = f"run `nbgrader generate_assignment {assignment}`, which adds release/{assignment} to it."
        raise NotEntered(f"The gradebook does not have {assignment} yet: {enter}")
    recorded = {(n.name, c.name, float(c.max_score)) for n in notebooks for c in n.grade_cells}
    released = {
        (notebook.name, identity, float(cell.metadata.nbgrader.points))
        for notebook in notebooks
        for identity, cell in course.release(assignment).template(notebook.name).by_id.items()
        if cell.metadata.nbgrader.get("grade")
    }
    other = set(course.source(assignment).graded_cells()) != {cell for _, cell, _ in recorded}
    if other or recorded != released:
        check_graded_work(gradebook, assignment, course.source(assignment).folder)
    if recorded != released:
        odd = ", ".join(sorted({f"{cell} of {name}" for name, cell, _ in recorded ^ released}))
        raise CourseError(f"The gradebook and release/{assignment} differ ({odd}): {again}")
    if other:
        raise CourseError(f"source/{assignment} has other grade cells than the gradebook: {again}")


def in_git(path: Path) -> bool:
    """Whether git keeps this file of a release."""
    return path.suffix in IN_GIT


def contents(folder: Path) -> dict[str, object]:
    """Return the contents of a release's files by name; for a notebook, its JSON."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): _content(path) for path in files}


def _content(path: Path) -> object:
    return json.loads(path.read_text()) if path.suffix == ".ipynb" else path.read_bytes()
