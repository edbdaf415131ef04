"""Digests of what a result depends on apart from course and submission: the engine's environment and the judge."""

import functools
import hashlib
import re
from pathlib import Path

from ..engines.find import find

PACKAGE = Path(__file__).parent.parent
DECIDING = ("core", "judge", "observe", "probe", "sandbox", "engines/base.py", "graders")  # code that decides a score
TEXTS = PACKAGE / "core" / "texts.py"  # results contain codes, so a better sentence does not judge a class again
VERSION = re.compile(r"^version(?:_info)?\s*=\s*(\S+)", re.MULTILINE)


def environment(prefix: Path) -> tuple[str, ...]:
    """Return name and version of a virtual environment's Python and of its packages.

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
    """Return a digest of the code that judges on this engine: `DECIDING`, and the engine's folder.

    The version alone would not do: in a clone the code changes while the version stays, and results of the old code
    would count.  It is read once in each process, since that is the code which runs.
    """
    folder = find(engine).folder
    parts = [PACKAGE / name for name in DECIDING]
    files = [(PACKAGE, file) for part in parts for file in (sorted(part.rglob("*.py")) if part.is_dir() else [part])]
    files += [(folder, file) for suffix in ("py", "toml") for file in sorted(folder.rglob(f"*.{suffix}"))]
    digest = hashlib.sha256()
    for root, file in files:
        if file != TEXTS:
            digest.update(file.relative_to(root).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()
