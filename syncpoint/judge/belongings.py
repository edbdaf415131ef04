"""The files beside a submitted notebook: nbgrader copies them before anything of ours runs, and follows links."""

import os
import stat
from pathlib import Path

from .timestamps import TIMESTAMP, holds_no_time

MAX_FILES = 200


def unfit_files(folder: Path, max_bytes: int) -> list[Path]:
    """The files of a submission that must not be copied.

    Links could lead to any file that the operator can read, devices never end, pipes block: none of them is taken,
    and no file with a name that is no text.
    Of a submission with more than MAX_FILES files or more than ``max_bytes`` beside its notebooks, no file is.
    A time stamp that holds no time may be of any size.
    """
    # os.walk lists a link to a folder among the folders, and does not go into it.
    files = [
        Path(place, name)
        for place, folders, names in os.walk(folder)
        for name in [*names, *(name for name in folders if os.path.islink(os.path.join(place, name)))]
    ]
    beside = [path for path in files if path.suffix != ".ipynb" and path.name != TIMESTAMP]
    states = {path: path.lstat() for path in files}
    regular = {path for path, state in states.items() if stat.S_ISREG(state.st_mode)}
    if len(beside) > MAX_FILES or sum(states[path].st_size for path in beside if path in regular) > max_bytes:
        return beside
    return [
        path
        for path in files
        if path not in regular or not _is_text(path) or (path.name == TIMESTAMP and holds_no_time(path.parent))
    ]


def _is_text(path: Path) -> bool:
    """Whether the bytes of a name can be written as text: other machines read them so."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True
