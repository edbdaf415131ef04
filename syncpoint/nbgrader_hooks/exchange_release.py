"""Releases an assignment only with all its files (``c.ExchangeFactory.release_assignment`` names it)."""

import functools
import tempfile
from functools import partial
from pathlib import Path

from nbgrader.exchange.default import ExchangeReleaseAssignment

from ..core.atomic_write import put_in_place
from ..core.names import some
from ..course.folder import Course, CourseError
from ..course.release import missing_files, variant_files
from ..records.gradebook import open_gradebook
from ..records.variants import drawn
from .exchange_fetch import VARIANTS

MISSING = (
    "release/{name} lacks {files}, so it was not released: run `nbgrader generate_assignment {name}` first, which adds "
    "the files that are not in git."
)
NOT_DRAWN = "{name} has [variants], but no student has values, so it was not released: run `syncpoint variants {name}`."


class ReleaseAssignment(ExchangeReleaseAssignment):
    """nbgrader's release, which would also distribute an incomplete release of a fresh clone."""

    def init_src(self) -> None:
        """Find the release, and refuse one that lacks a file."""
        super().init_src()
        name = self.coursedir.assignment_id
        try:
            missing = missing_files(Course(Path(self.coursedir.root).absolute()), name, Path(self.src_path))
        except CourseError as problem:
            self.fail(str(problem))
        if missing:
            self.fail(MISSING.format(name=name, files=some(missing)))

    def copy_files(self) -> None:
        """Copy the differing files of each student's variant, and only then the release."""
        course, name = Course(Path(self.coursedir.root).absolute()), self.coursedir.assignment_id
        place, shared = Path(self.course_path, VARIANTS, name), self.coursedir.groupshared
        if not course.graders(name).settings().variants.choices and not place.exists():
            super().copy_files()
            return
        if not place.parent.exists():
            place.parent.mkdir()
            place.parent.chmod(0o2771 if shared else 0o711)  # students cannot list it
        with tempfile.TemporaryDirectory(prefix=".new-", dir=place.parent) as folder:
            made, old = Path(folder, "made"), Path(folder, "old")
            self._write_variants(course, name, made)
            self.set_perms(str(made), 0o664 if shared else 0o644, 0o2775 if shared else 0o755)
            if made.exists():
                made.chmod(0o2771 if shared else 0o711)
            try:
                put_in_place(made, place, old)
                super().copy_files()
            except BaseException:
                put_in_place(old, place, made)
                raise

    def _write_variants(self, course: Course, name: str, folder: Path) -> None:
        variants = course.graders(name).settings().variants
        with open_gradebook(course) as gradebook:
            found = drawn(gradebook.db(), name) if variants.choices else {}
        if variants.choices and not found:
            self.fail(NOT_DRAWN.format(name=name))
        files = functools.cache(partial(variant_files, course, name))
        for student, variant in found.items():
            (folder / student).mkdir(parents=True)
            for path, text in files(variants.now(variant)).items():
                (folder / student / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / student / path).write_text(text, encoding="utf-8")
