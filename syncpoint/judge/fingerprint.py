"""What a result depends on beside course and submission: the engine's environment, and the judge itself."""

import functools
import hashlib
import re
from pathlib import Path

from ..engines.find import find

PACKAGE = Path(__file__).parent.parent
DECIDING = ("judge", "probe", "sandbox", "graders.py")  # the rooms of the package that decide a score
VERSION = re.compile(r"^version(?:_info)?\s*=\s*(\S+)", re.MULTILINE)


def environment(prefix: Path) -> tuple[str, ...]:
    """Name and version of the Python in a virtual environment and of all that is installed there.

    Read from the names of its files, in about a millisecond: ("python 3.11.7", "asttokens 3.0.2", ...).  Empty if
    there is no environment.
    """
    site = sorted(prefix.glob("lib/python3*/site-packages"))
    installed = sorted(
        " ".join(folder.name.removesuffix(".dist-info").split("-", 1)).lower()
        for packages in site
        for folder in packages.glob("*.dist-info")
    )
    return (f"python {_python(prefix, site)}", *installed) if site else ()


def _python(prefix: Path, site: list[Path]) -> str:
    try:
        found = VERSION.search((prefix / "pyvenv.cfg").read_text())
    except OSError:
        found = None
    return found[1] if found else site[0].parent.name.removeprefix("python")


@functools.cache
def judge_digest(engine: str) -> str:
    """A digest of the code that judges on this engine; of the one that runs, so it is read once in each process."""
    digest = hashlib.sha256(find(engine).digest.encode())
    for room in DECIDING:
        path = PACKAGE / room
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            digest.update(file.relative_to(PACKAGE).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()
