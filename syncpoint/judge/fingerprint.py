"""What a result depends on beside course and submission: the engine's environment, and the judge itself."""

import functools
import hashlib
import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path

from ..core.words import deciding_part
from ..engines.find import FILE, find

PACKAGE = Path(__file__).parent.parent
DECIDING = ("core", "judge", "observe", "probe", "sandbox", "engines/base.py", "graders")  # what decides a score
# But for these: words, pictures, and what brings notebooks to the judge and takes results away.  A new file decides
# until it is put here.
BESIDE = frozenset(
    f"{name}.py"
    for name in """core/atomic_write core/errors core/language core/names core/settings core/spreadsheet core/texts
    judge/answer judge/failures judge/judging_process judge/retry judge/store observe/timeline""".split()
)
# In engine.toml: what people read and are given, which decides nothing.
TOLD = ("title", "words", "release_files", "student_requirements")
VERSION = re.compile(r"^version(?:_info)?\s*=\s*(\S+)", re.MULTILINE)


def environment(prefix: Path) -> tuple[str, ...]:
    """Return name and version of the Python in a virtual environment and of all that is installed there.

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
    """Return a digest of the code that judges on this engine, as it stands.

    It is that of the code that runs, so it is read once in each process.

    Raises:
        EngineError: If there is no such engine, or its engine.toml cannot be used.
    """
    return _digest(engine, lambda content: content, lambda content: content)


@functools.cache
def judge_deciding(engine: str) -> str:
    """A digest of what that code does: comments, docstrings, layout and engine.toml's words do not change it."""
    return _digest(engine, deciding_part, _deciding_settings)


def _deciding_settings(content: bytes) -> bytes:
    """What an engine.toml says, without its words."""
    said = tomllib.loads(content.decode())
    deciding = {key: value for key, value in said.items() if key not in TOLD}
    return json.dumps(deciding, sort_keys=True, default=str).encode()  # TOML has dates


def deciding_files() -> list[Path]:
    """The files of the package that decide a score."""
    packages = [PACKAGE / name for name in DECIDING]
    files = [file for part in packages for file in (sorted(part.rglob("*.py")) if part.is_dir() else [part])]
    return [file for file in files if file.relative_to(PACKAGE).as_posix() not in BESIDE]


def _digest(engine: str, of_code: Callable[[bytes], bytes], of_settings: Callable[[bytes], bytes]) -> str:
    digest = hashlib.sha256()
    folder = find(engine).folder
    of_the_engine = [(folder, file) for suffix in ("py", "toml") for file in sorted(folder.rglob(f"*.{suffix}"))]
    for root, file in [*((PACKAGE, file) for file in deciding_files()), *of_the_engine]:
        content = file.read_bytes()
        if file.suffix == ".py":
            content = of_code(content)
        elif file == folder / FILE:
            content = of_settings(content)
        digest.update(file.relative_to(root).as_posix().encode() + b"\0" + content + b"\0")
    return digest.hexdigest()
