"""The boundary around each submission: whatever goes wrong with one, wherever it is raised, ends there."""

import contextlib
import glob
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.exc import DBAPIError

from ..course.errors import CourseError
from .failures import explain, unexplained
from .timestamps import TIMESTAMP, Submissions, why_no_time

WHOLE = (CourseError, DBAPIError)  # these stop the whole class: nobody can be graded before they are mended


class Admission:
    """What is known of the submissions before they are taken in, each by its folder.

    Args:
        coursedir: Nbgrader's; it is told of one submission at a time what to ignore.
    """

    def __init__(self, coursedir: CourseDirectory):
        self._coursedir, self._always = coursedir, list(coursedir.ignore)
        self._faults: dict[str, Exception] = {}
        self._rejected: dict[str, Sequence[Path]] = {}

    @contextlib.contextmanager
    def of(self, folder: str) -> Iterator[None]:
        """What goes wrong in this block stops this submission alone: it is raised when it is admitted."""
        try:
            yield
        except WHOLE:
            raise
        except Exception as problem:
            self._faults.setdefault(folder, problem)

    def leave(self, folder: str, rejected: Sequence[Path]) -> None:
        """Have nbgrader copy none of these, see :func:`.attachments.rejected_files`."""
        self._rejected[folder] = rejected

    def admit(self, folder: str) -> None:
        """Have nbgrader take in this submission and no other.  Raises what went wrong with it so far."""
        if folder in self._faults:
            raise self._faults[folder]
        # A whole path in this list matches that one file; a name would match others, too.
        self._coursedir.ignore = [*self._always, *(glob.escape(str(path)) for path in self._rejected.get(folder, ()))]

    def rejected(self, folder: str) -> Sequence[Path]:
        """What of this submission is not copied."""
        return self._rejected.get(folder, ())


def convert_each(
    converter: Autograde, convert: Callable[[], None], admission: Admission, done: Callable[[str], None]
) -> None:
    """Have nbgrader convert what is listed, in this order, each submission by itself.

    Args:
        converter: Of nbgrader's.
        convert: The ``convert_notebooks`` of nbgrader's; it ends for all where cleaning up after one fails.
        admission: What of each submission is let in.
        done: Called with student/assignment when a submission is over.

    Raises:
        NbGraderException: In the end if any was not graded.
    """
    failed = []
    listed = converter.assignments
    for folder in listed:
        converter.assignments = {folder: listed[folder]}
        try:
            admission.admit(folder)
            convert()
            keep_time(converter, folder)
        except WHOLE:
            raise
        except NbGraderException as problem:  # nbgrader has said why
            if isinstance(problem.__context__, WHOLE):
                raise
            failed.append(folder)
        except Exception as problem:
            said = explain(problem) or traceback.format_exc() + unexplained(problem)
            converter.log.error("%s: %s", folder, said)
            failed.append(folder)
        finally:
            done("/".join(Path(folder).parts[-2:]))
    converter.assignments = listed
    if failed:
        raise NbGraderException(f"{len(failed)} of {len(listed)} submissions were not graded.")


def keep_time(converter: Autograde, folder: str) -> None:
    """Copy the time stamp of a submission of which nothing was copied: by it newer work is told from this."""
    student, assignment = Path(folder).parts[-2:]
    graded = Path(converter.coursedir.format_path(converter.coursedir.autograded_directory, student, assignment))
    stamp = Path(folder, TIMESTAMP)
    there = (graded / TIMESTAMP).exists()
    if there or not graded.is_dir() or not stamp.is_file():
        return
    if not why_no_time(Path(folder), Submissions.like(converter.coursedir).clock):
        (graded / TIMESTAMP).write_bytes(stamp.read_bytes())
        (graded / TIMESTAMP).chmod(int(str(converter.permissions), 8))
