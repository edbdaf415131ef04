"""The exporter for releases: makes a release next to the old one, and replaces it when complete.

Each exercise in it says its points, each notebook the total and the time, and each grade cell runs its check.

``c.GenerateAssignment.exporter_class`` names the exporter.  nbgrader makes it once per run, after it has listed the
notebooks and before it touches anything.
"""

import filecmp
import glob
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.converters import GenerateAssignment
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import ClearSolutions, SaveCells

from ..core.atomic_write import put_in_place
from ..core.errors import SyncpointError
from ..core.language import SOURCE
from ..core.locked_folder import locked_folder
from ..course.errors import CourseError
from ..course.folder import Course
from ..course.release import (
    GradedWork,
    add_engine_files,
    add_requirements,
    changed_cells,
    check_gradebook,
    check_graded_work,
    contents,
    differing_files,
)
from ..course.released_notebooks import LANGUAGES
from ..course.variants import keep_places
from ..course.visible import VISIBLE_FOLDER
from ..course.wheel import CannotBuild
from ..records.errors import GradebookError
from ..records.gradebook import prepare_gradebook
from ..releases.colab import add_badge, repository
from ..releases.grade_cells import add_checks
from ..releases.points_and_time import add_points_and_time
from ..translations.catalogue import lacking, languages, shipped
from ..translations.localize import about_in, source_in, stubs_in
from .nothing_matched import no_release

THERE = (
    "{name}: nothing was done. release/{name} is up to date with source/{name}, and the gradebook has its cells; "
    "--force generates it again."
)
ENTERED = "{name}: release/{name} is already up to date with source/{name}; the gradebook now has its cells."
MADE = "{name}: generated release/{name}, {notebooks}; the gradebook has its cells."
OTHER = (
    "release/{name} differs from source/{name} ({files}): nothing was changed. "
    "Run `nbgrader generate_assignment {name} --force` to generate it again."
)
HAS_SUBMISSIONS = "{problem} Nothing was changed, because the gradebook would lose their marks."
NO_LANGUAGE = (
    "{name}: its language is {language!r} (assignment.toml, else nbgrader_config.py), but there is only {known}. "
    "Remove the line, or start the language: `syncpoint translations extract --language {language}`."
)
LACKING = (
    "{name}: its language is {language} (assignment.toml, else nbgrader_config.py), and {number} of its messages are "
    "missing or fuzzy, such as {first}: finish locale/{language}/, or choose another language."
)
UNUSED = (
    "source/{name}: no notebook has {names} in double braces, but grader_tests/{name}/assignment.toml lists it below "
    "[variants]. Use it in a cell, or remove it from [variants]."
)
IN_A_FILE = (
    "source/{name}: {files} shows a value of [variants] in double braces, but files other than notebooks are the same "
    "for everybody. Pass the value from a cell, such as `draw({{{{k}}}})`, or make the data in a cell."
)
AS_BEFORE = "release/{name} is unchanged."
CODE_STUB = "# {}\nraise NotImplementedError()"


class Refused(SyncpointError, NbGraderException):
    """Nothing was changed; the text, already logged, says why."""


class ReleaseExporter(NotebookExporter):
    """nbgrader's usual exporter, with a converter that works next to the release, not in its place."""

    def __init__(self, **keywords: Any) -> None:
        super().__init__(**keywords)
        # nbconvert also creates exporters for other purposes, without a converter as parent.
        if isinstance(self.parent, GenerateAssignment):
            _name_the_empty(self.parent)
            if not self.parent.no_database:
                self._prepare_gradebook(self.parent.coursedir)
            Releases(self.parent)

    def from_notebook_node(self, nb: NotebookNode, resources: Any = None, **keywords: Any) -> Any:
        """Convert a source after adding to it, because nbgrader keeps what students get."""
        variant = ""
        if isinstance(self.parent, GenerateAssignment):
            course = Course(Path(self.parent.coursedir.root).absolute())
            assignment = resources["nbgrader"]["assignment"]
            variant = course.graders(assignment).settings().variants.number()
            add_points_and_time(course, assignment, nb)
            add_checks(course, assignment, nb)
            add_badge(course, assignment, resources["nbgrader"]["notebook"], nb)
        text, resources = super().from_notebook_node(nb, resources, **keywords)
        if variant:
            text = nbformat.writes(keep_places(nbformat.reads(text, as_version=4), variant)) + "\n"
        return text, resources

    def _prepare_gradebook(self, coursedir: CourseDirectory) -> None:
        """Prepare an empty gradebook so that parallel programs do not disturb each other."""
        try:
            prepare_gradebook(coursedir.db_url, coursedir.course_id, Path(coursedir.root))
        except GradebookError as problem:
            self.log.error(str(problem))
            raise NbGraderException(str(problem)) from None


class Releases:
    """The releases of one nbgrader run, instead of its own."""

    def __init__(self, converter: GenerateAssignment):
        self._converter, self._convert = converter, converter.convert_notebooks
        converter.convert_notebooks = self._release_all

    def _release_all(self) -> None:
        listed = dict(self._converter.assignments)
        for folder, notebooks in listed.items():
            self._converter.assignments = {folder: notebooks}
            self._release(Path(folder).name)

    def _release(self, name: str) -> None:
        """Make one release, or enter the existing one into the gradebook."""
        converter, coursedir = self._converter, self._converter.coursedir
        place = Path(coursedir.format_path(coursedir.release_directory, ".", name))
        recording = not converter.no_database
        keeps = place.exists() and coursedir.notebook_id == "*" and not converter.force
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            # First without the gradebook, so that errors occur before anything is changed.
            with self._temporary_sibling(place, name) as made, self._without_gradebook():
                self._make(name, made)
                if recording:
                    self._check_submissions(name, made)
                if keeps and (files := differing_files(made, place)):
                    self._refuse(OTHER.format(name=name, files=", ".join(files)))
                # a clone's release lacks files that git does not keep
                keeps = keeps and contents(made) == contents(place)
                if keeps and (not recording or self._is_recorded(name, made)):
                    print(THERE.format(name=name), file=sys.stderr)
                    return
                if not recording:
                    put_in_place(made, place, made.parent / "old")
            if recording:
                with self._temporary_sibling(place, name) as made:
                    self._make(name, made)
                    if not keeps:
                        put_in_place(made, place, made.parent / "old")
        except Refused:
            raise
        except BaseException:
            if place.exists():
                converter.log.error(AS_BEFORE.format(name=name))
            raise
        notebooks = ", ".join(sorted(path.name for path in place.glob("*.ipynb")))
        print((ENTERED if keeps else MADE).format(name=name, notebooks=notebooks), file=sys.stderr)

    def _make(self, name: str, made: Path) -> None:
        """Let nbgrader make a release, and add the engine's files next to its notebooks."""
        course = Course(Path(self._converter.coursedir.root).absolute())
        try:
            if unused := course.graders(name).settings().variants.unused(course.source(name).folder):
                self._refuse(UNUSED.format(name=name, names=unused))
            if files := course.graders(name).settings().variants.in_other_files(course.source(name).folder):
                self._refuse(IN_A_FILE.format(name=name, files=files))
            repository(course)  # an odd one is reported without a traceback
            language = course.settings_of(name).language
            if language == SOURCE:
                self._convert()
            else:
                self._check_shipped(course, language, name)
                with self._source_in(course, language, name, made.parent):
                    self._convert()
            add_engine_files(course, name, made)
            others = [other for other in (SOURCE, *shipped(course, name)) if other != language]
            add_requirements(course, name, made)
            if language != SOURCE:
                about_in(course, language, name, made)
            for other in others:
                self._add_language(course, other, name, made)
        except (CourseError, CannotBuild) as problem:
            self._refuse(str(problem))
        self._converter.set_permissions(name, ".")

    def _add_language(self, course: Course, language: str, name: str, made: Path) -> None:
        """Let nbgrader make the release in another language, and keep only the files that differ."""
        coursedir = self._converter.coursedir
        with tempfile.TemporaryDirectory(prefix=".new-", dir=made.parent) as folder, self._without_gradebook():
            into = _setting(coursedir, release_directory=str(Path(folder, "release")))
            with self._source_in(course, language, name, Path(folder)), into:
                self._convert()
            released = Path(folder, "release", name)
            shutil.copytree(made / VISIBLE_FOLDER, released / VISIBLE_FOLDER)
            about_in(course, language, name, released)
            for path in sorted(released.rglob("*")):
                relative = path.relative_to(released)
                same = (made / relative).is_file() and filecmp.cmp(path, made / relative, shallow=False)
                if path.is_file() and not same:
                    (made / LANGUAGES / language / relative).parent.mkdir(parents=True, exist_ok=True)
                    path.replace(made / LANGUAGES / language / relative)

    def _check_shipped(self, course: Course, language: str, name: str) -> None:
        """Check that the course's language has every message of an assignment. Raises Refused."""
        if language not in languages(course):
            known = ", ".join([SOURCE, *languages(course)])
            self._refuse(NO_LANGUAGE.format(name=name, language=language, known=known))
        if missing := lacking(course, language, name):
            self._refuse(LACKING.format(name=name, language=language, number=len(missing), first=missing[0]))

    @contextmanager
    def _source_in(self, course: Course, language: str, name: str, folder: Path) -> Iterator[None]:
        """Let nbgrader read an assignment's source in another language from a folder."""
        converter, coursedir = self._converter, self._converter.coursedir
        with (
            tempfile.TemporaryDirectory(prefix=".source-", dir=folder) as laid,
            self._stubs(stubs_in(course, language)),
        ):
            source_in(course, language, name, Path(laid, name))
            notebooks = sorted(Path(laid, name).glob(f"{coursedir.notebook_id}.ipynb"))
            place = coursedir.format_path(laid, ".", name)
            assignments = {place: [os.path.join(place, path.name) for path in notebooks]}
            with _setting(coursedir, source_directory=laid), _setting(converter, assignments=assignments):
                yield

    @contextmanager
    def _stubs(self, texts: dict[str, str]) -> Iterator[None]:
        """Let nbgrader use other stubs for solutions."""
        with ExitStack() as stack:
            for step in self._converter.exporter._preprocessors:
                if isinstance(step, ClearSolutions):
                    code = {**step.code_stub, "python": CODE_STUB.format(texts["code"])}
                    stack.enter_context(_setting(step, code_stub=code, text_stub=texts["answer"]))
            yield

    @contextmanager
    def _temporary_sibling(self, place: Path, name: str) -> Iterator[Path]:
        """Redirect nbgrader's output to a temporary sibling folder and yield the new release's path."""
        coursedir = self._converter.coursedir
        # On the same disk, and hidden, because nbgrader treats every other folder there as a release.
        with (
            locked_folder(place.parent, ".new-") as folder,
            _setting(coursedir, release_directory=str(folder)),
            _setting(self._converter, force=True),
        ):
            made = Path(coursedir.format_path(coursedir.release_directory, ".", name))
            if coursedir.notebook_id != "*" and place.exists():
                shutil.copytree(place, made)  # the other notebooks stay
            yield made

    @contextmanager
    def _without_gradebook(self) -> Iterator[None]:
        """Let nbgrader convert without using the gradebook or the configuration's hooks."""
        with ExitStack() as stack:
            hooks = _setting(self._converter, no_database=True, pre_convert_hook=None, post_convert_hook=None)
            stack.enter_context(hooks)
            for step in self._converter.exporter._preprocessors:
                if isinstance(step, SaveCells):
                    stack.enter_context(_setting(step, enabled=False))
            yield

    def _is_recorded(self, name: str, made: Path) -> bool:
        coursedir = self._converter.coursedir
        with Gradebook(coursedir.db_url, coursedir.course_id) as gradebook:
            try:
                check_gradebook(gradebook, Course(Path(coursedir.root).absolute()), name)
            except CourseError:
                return False
            return not changed_cells(gradebook, name, made)

    def _check_submissions(self, name: str, made: Path) -> None:
        """Refuse in one sentence what nbgrader would refuse half way, with a traceback."""
        coursedir = self._converter.coursedir
        with Gradebook(coursedir.db_url, coursedir.course_id) as gradebook:
            try:
                check_graded_work(gradebook, name, made)
            except GradedWork as problem:
                self._refuse(HAS_SUBMISSIONS.format(problem=problem))

    def _refuse(self, reason: str) -> None:
        self._converter.log.error(reason)
        raise Refused(reason)


@contextmanager
def _setting(owner: Any, **values: Any) -> Iterator[None]:
    """Set attributes of nbgrader's objects to these values in the block."""
    usual = {name: getattr(owner, name) for name in values}
    try:
        for name, value in values.items():
            setattr(owner, name, value)
        yield
    finally:
        for name, value in usual.items():
            setattr(owner, name, value)


def _name_the_empty(converter: GenerateAssignment) -> None:
    """Report requested folders without a release; nbgrader logs this at a hidden level."""
    coursedir = converter.coursedir
    pattern = coursedir.format_path(coursedir.source_directory, coursedir.student_id, coursedir.assignment_id)
    for folder in sorted({*glob.glob(pattern)} - {*converter.assignments}):
        if os.path.isdir(folder):
            converter.log.error(no_release(Path(folder)))
