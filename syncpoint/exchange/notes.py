"""Files in nbgrader's exchange with names that only one student can compute. The folder cannot be listed by others."""

import contextlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..core.messages import Message, to_data
from ..course.folder import Course
from ..translations.catalogue import spoken

READABLE = 0o644  # for everyone who knows the name
CLOSED, SHARED = 0o711, 0o2771  # modes of the folder, as nbgrader sets them


def as_note(
    course: Course, assignment: str, messages: Sequence[Message], reports: Sequence[str], language: str, **more: Any
) -> str:
    """Return the text of a note; ``language`` is the student's, or "" for that of the notebook that shows it."""
    data: dict[str, Any] = {"said": list(map(to_data, messages)), "reports": reports, **more}
    if language:
        data["language"] = spoken(course, language, assignment).only(one.code for one in messages).to_data()
    return json.dumps(data)


def write_note(folder: Path, name: str, text: str, shared: bool) -> None:
    """Write a note atomically, or raise OSError; into a shared folder, a group of graders may write."""
    if not folder.is_dir():
        folder.mkdir(CLOSED)
        folder.chmod(SHARED if shared else CLOSED)
    part = folder / f"{name}.part"
    with contextlib.suppress(FileNotFoundError):
        part.unlink()
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, READABLE)
    with os.fdopen(handle, "w") as file:
        os.fchmod(handle, READABLE)  # whatever the umask says
        file.write(text)
    os.replace(part, folder / name)
