"""``%syncpoint status``: the status of the latest submission, and later the result in its feedback.

The course writes it into a file of nbgrader's exchange.  Its name is a digest of the secret that `nbgrader submit` has
put next to the work: nobody else can compute it, and nobody can list the folder.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from ..core.language import Language, language, speaking
from ..core.messages import from_data, say

SECRET = "submission_secret.txt"  # nbgrader's name
CONFIG = "nbgrader_config"
MAX_SECRET_CHARACTERS = 1000  # characters of a secret
AT = "at"  # the parameter of a sentence with a time, in UTC


def note_name(secret: str, assignment: str) -> str:
    """Return the name of the file with the status of a student's work."""
    text = f"{secret[:MAX_SECRET_CHARACTERS]}+{assignment}"
    return hashlib.sha256(text.encode(errors="replace")).hexdigest() + ".json"


@dataclass(frozen=True)
class Exchange:
    """nbgrader's exchange, at the place in its configuration."""

    root: Path  # the exchange, with all courses
    cache: Path  # where `nbgrader submit` keeps the student's copies

    @classmethod
    def configured(cls) -> Exchange:
        """Return this machine's exchange, found as nbgrader finds it."""
        from jupyter_core.paths import jupyter_config_path, jupyter_data_dir
        from traitlets.config import Config, PyFileConfigLoader

        config = Config()
        for place in reversed([os.getcwd(), *jupyter_config_path()]):
            if Path(place, f"{CONFIG}.py").is_file():
                config.merge(PyFileConfigLoader(f"{CONFIG}.py", path=place).load_config())
        found = config.Exchange
        root = str(found.get("root", "")) or "/usr/local/share/nbgrader/exchange"
        return cls(Path(root), Path(str(found.get("cache", "")) or Path(jupyter_data_dir(), "nbgrader_cache")))

    def newest(self, assignment: str, course: str) -> tuple[Path, str] | None:
        """Return the student's copy of their latest submission, with its course."""
        found = [(f.name.split("+")[2:3], f, f.parent.name) for f in self.submissions(assignment)]
        here = [one for one in found if one[2] == course] or found
        return max(here)[1:] if here else None

    def submissions(self, assignment: str = "*", course: str = "*") -> list[Path]:
        """Return the student's copies of their submissions, which have a secret."""
        return [folder for folder in self.cache.glob(f"{course}/*+{assignment}+*") if (folder / SECRET).is_file()]

    def pages(self) -> dict[tuple[str, str, str], Path]:
        """Return the student's pages of feedback by course, assignment and notebook: of several, the newest one."""
        found = []
        for folder in self.submissions():
            course, assignment = folder.parent.name, folder.name.split("+")[1]
            secret = (folder / SECRET).read_text(encoding="utf-8", errors="replace")
            for notebook in folder.glob("*.ipynb"):
                name = hashlib.md5((secret + notebook.stem).encode()).hexdigest()  # as nbgrader computes it
                page = self.root / course / "feedback" / f"{name}.html"
                with contextlib.suppress(OSError):
                    found.append((page.stat().st_mtime, (course, assignment, notebook.stem), page))
        return {names: page for _, names, page in sorted(found)}

    def note(self, assignment: str, course: str, about: str = "") -> dict[str, Any] | None:
        """Return the note from the course: the status, or its subject."""
        newest = self.newest(assignment, course)
        if newest is None:
            return None
        folder, name = newest
        secret = (folder / SECRET).read_text(encoding="utf-8", errors="replace")
        try:
            data = json.loads(
                (self.root / name / "feedback" / note_name(secret, assignment + about)).read_text("utf-8")
            )
        except (OSError, ValueError):
            return None
        return data if isinstance(data, dict) else None


def status(folder: Path, exchange: Exchange | None = None) -> tuple[str, list[str]]:
    """Return the status of the submission: sentences, and reports as HTML.

    They are in the student's language in the roster, else in the notebook's.  ``folder`` has the notebooks and the
    assignment's name, as nbgrader fetched them; it may be in a folder of the course.
    """
    note = None
    with contextlib.suppress(Exception):  # a configuration is a program, possibly for another machine
        note = (exchange or Exchange.configured()).note(folder.name, folder.parent.name)
    if note is None:
        return say("status_none", assignment=folder.name), []
    return in_words(note)


def in_words(note: dict[str, Any]) -> tuple[str, list[str]]:
    """Return a note in sentences, and its reports as HTML, in the note's or the notebook's language."""
    with speaking(Language.from_data(note["language"]) if "language" in note else language()):
        sentences = [str(from_data(_local(sentence))) for sentence in note.get("said", ())]
    return " ".join(sentences), [str(report) for report in note.get("reports", ())]


def _local(sentence: dict[str, Any]) -> dict[str, Any]:
    parameters = dict(sentence["parameters"])
    if AT in parameters:
        parameters[AT] = datetime.fromisoformat(parameters[AT]).astimezone().strftime("%Y-%m-%d %H:%M")
    return {**sentence, "parameters": parameters}
