"""Builds wheels of our packages reproducibly, because releases are compared by their content.

Run as a program it writes the wheel of one folder into another: ``python -m syncpoint.course.wheel FROM TO``.
"""

import functools
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from ..core.errors import SyncpointError

# Bytes must not depend on the clock, on `umask`, or on the version of zlib.
EPOCH = "315532800"  # 1980, the earliest time in a zip file
UMASK = 0o022
BUILD = """
import sys
from setuptools import build_meta
build_meta.build_wheel(sys.argv[1], {"--build-option": "--compression=stored"})
"""
COURSE = ("submitted", "autograded", "feedback", "gradebook.db*")  # students' work is not copied
NOT_NEEDED = shutil.ignore_patterns("__pycache__", "*.egg-info", ".*", "build", "dist", "tests", *COURSE)


class CannotBuild(SyncpointError):
    """A folder's package cannot be built; the text says why."""


@functools.cache
def wheel(package: Path) -> tuple[str, bytes]:
    """Build the wheel of a pure Python package that setuptools builds, or raise CannotBuild or OSError."""
    with tempfile.TemporaryDirectory(prefix="syncpoint-wheel-") as folder:
        copy, built = Path(folder, "package"), Path(folder, "built")
        shutil.copytree(package, copy, ignore=NOT_NEEDED, copy_function=shutil.copyfile)
        for path in copy.rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)
        done = subprocess.run(
            [sys.executable, "-I", "-c", BUILD, built],
            cwd=copy,
            env={**os.environ, "SOURCE_DATE_EPOCH": EPOCH},
            umask=UMASK,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
        )
        found = sorted(built.glob("*.whl"))
        if done.returncode or not found:
            last = (done.stderr.strip().splitlines() or ["it printed nothing"])[-1]
            raise CannotBuild(f"cannot build a wheel of {package}: {last}")
        return found[0].name, found[0].read_bytes()


def main(package: str, folder: str) -> None:
    """Write the wheel of a package into a folder and return its path. Raises SystemExit if it cannot be built."""
    try:
        name, content = wheel(Path(package).resolve())
    except (CannotBuild, OSError) as problem:
        sys.exit(str(problem))
    path = Path(folder, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    print(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
