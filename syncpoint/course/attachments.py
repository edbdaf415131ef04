"""The files next to a submitted notebook: nbgrader copies them before our code runs, and follows links."""

import os
import stat
from collections.abc import Collection, Sequence
from pathlib import Path, PurePosixPath

from ..core.errors import CannotGrade
from ..core.messages import Message, listed
from .intake import TIMESTAMP
from .submission_folder import why_no_time
from .times import WITHOUT_ZONE, Clock

MAX_FILES = 200
SHOWN = 5  # number of left-out files that are named
MAX_ENTRIES = 10_000  # files and folders that nbgrader can list in a second or two
MAX_DEPTH = 200  # nested folders: Python walks through them recursively
MAX_PATH = 1000  # bytes of a path inside the folder: copies are in folders with longer names


class Unwalkable(CannotGrade):
    """A folder that nbgrader would read for minutes, or fail to read; the text says what to do."""

    def __init__(self, folder: Path, what: str):
        super().__init__(f"{folder} contains {what}. Remove what is not needed.")


def rejected_files(folder: Path, max_bytes: int, ours: Collection[str] = (), clock: Clock = WITHOUT_ZONE) -> list[Path]:
    """Return the files of a submission that must not be copied, and the folders that must not be copied at all.

    Links could lead to any file that the operator can read, devices never end, and pipes block: none of these is
    copied, nor is a file that cannot be read or whose name is not text.  Files that would replace the assignment's own
    (``ours``, paths inside the folder) are also rejected, and so is the topmost folder of a path that is too long.  If
    a submission has more than ``max_bytes`` in addition to its notebooks, all its files are rejected; if it has more
    than MAX_FILES files, the whole folder is.  A time stamp without a valid time may have any size.

    Raises:
        Unwalkable: If the folder is too deep or holds too much.
        OSError: If the folder cannot be read.
    """
    parents = {str(parent) for path in ours for parent in PurePosixPath(path).parents}
    rejected: set[Path] = set()
    beside: dict[Path, int] = {}
    entries = 0
    places = [folder]
    while places:
        place = places.pop()
        if rejected & {place, *place.parents}:
            continue
        try:
            found = list(os.scandir(place))
        except OSError:
            if place == folder:
                raise
            rejected.add(_uppermost(place, folder))
            continue
        entries += len(found)
        check_walk(folder, place, entries)
        for entry in found:
            path, name = Path(entry.path), os.path.relpath(entry.path, folder)
            if len(os.fsencode(name)) > MAX_PATH:
                rejected.add(_uppermost(path, folder))
            elif entry.is_dir(follow_symlinks=False):
                if name in ours:
                    rejected.add(path)
                else:
                    places.append(path)
            else:
                state = entry.stat(follow_symlinks=False)
                regular = stat.S_ISREG(state.st_mode)
                readable = regular and _is_text(path) and os.access(path, os.R_OK)
                timeless = path.name == TIMESTAMP and why_no_time(place, clock) != ""
                if not readable or timeless or name in parents:
                    rejected.add(path)
                if path.suffix != ".ipynb" and path.name != TIMESTAMP:
                    beside[path] = state.st_size if regular else 0
    if len(beside) > MAX_FILES:
        return [folder]
    if sum(beside.values()) > max_bytes:
        rejected |= beside.keys()
    return sorted(rejected)


def check_walk(folder: Path, place: Path, entries: int) -> None:
    """Check, after a number of entries, that reading a folder may continue, or raise Unwalkable."""
    if entries > MAX_ENTRIES:
        raise Unwalkable(folder, f"more than {MAX_ENTRIES:,} files and folders")
    if len(place.parts) - len(folder.parts) > MAX_DEPTH:
        raise Unwalkable(folder, f"more than {MAX_DEPTH} levels of folders")


def notes_on(folder: Path, rejected: Sequence[Path]) -> list[Message]:
    if folder in rejected:
        return [Message("left_all")]
    left = [path.name for path in rejected if path.suffix != ".ipynb"]
    names = [*map(repr, left[:SHOWN]), *["..."] * (len(left) > SHOWN)]
    return [Message.of("left_files", files=listed(names))] if left else []


def _uppermost(path: Path, folder: Path) -> Path:
    """The folder directly inside ``folder`` that leads to this path."""
    return folder / path.relative_to(folder).parts[0]


def _is_text(path: Path) -> bool:
    """Whether a name's bytes are valid text, as which other machines read them."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True
