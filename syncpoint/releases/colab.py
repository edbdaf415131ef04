"""Adds a badge that opens a released notebook in Google Colab (``c.Colab``)."""

import re
from urllib.parse import quote

from nbformat import NotebookNode
from traitlets import Unicode
from traitlets.config import Configurable

from ..core.language import SOURCE
from ..course.errors import CourseError
from ..course.folder import Course
from ..course.intake import METADATA
from ..course.released_notebooks import LANGUAGES
from ..course.traits import in_config
from .points_and_time import is_text

COLAB = "https://colab.research.google.com"
REPOSITORY = re.compile(r"[A-Za-z0-9-]+/[A-Za-z0-9._-]+")


class Colab(Configurable):
    """Where Google Colab finds the releases."""

    repository = Unicode(
        "",
        help='The public GitHub repository with the folder release/ in its branch main: "owner/name". Notebooks on '
        "PyTorch then begin with a badge that opens them in Colab. Default: no badge.",
    ).tag(config=True)


def repository(course: Course) -> str:
    """Return the repository of a course's releases, "" if it has none, or raise CourseError."""
    name: str = in_config(Colab, course.settings()).repository
    if name and not REPOSITORY.fullmatch(name):
        raise CourseError(f'c.Colab.repository in nbgrader_config.py is {name!r}: write it as "owner/name".')
    return name


def add_badge(course: Course, assignment: str, name: str, notebook: NotebookNode) -> None:
    """Begin the first text of a source with a badge that opens the release in its language, or raise CourseError.

    There is none for other engines than PyTorch's, which Colab lacks, and for values that differ between students.
    """
    settings = course.settings_of(assignment)
    varies = course.graders(assignment).settings().variants.choices
    first = next(filter(is_text, notebook.cells), None)
    if (
        not repository(course)
        or not course.engine(settings.engine).environment.torch_backend
        or varies
        or first is None
    ):
        return
    language = notebook.metadata.get(METADATA, SOURCE)
    folder = assignment if language == settings.language else f"{assignment}/{LANGUAGES}/{language}"
    link = f"{COLAB}/github/{repository(course)}/blob/main/release/{quote(f'{folder}/{name}')}.ipynb"
    first.source = f"[![Open in Colab]({COLAB}/assets/colab-badge.svg)]({link})\n\n{first.source}"
