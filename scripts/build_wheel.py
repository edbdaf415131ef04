"""Builds Syncpoint's wheel with setuptools: with the course, and with simgpu, which the engine `torch` installs.

`pip install` of that wheel, `syncpoint init` and `syncpoint engine install` need no clone then.
"""

import shutil
from pathlib import Path

from setuptools.command.build_py import build_py

COURSE = ("nbgrader_config.py", "source", "grader_tests", "locale")
SIMGPU = ("simgpu/pyproject.toml", "simgpu/README.md", "simgpu/LICENSE", "simgpu/src")
PAGES = "docs/students/misconceptions*.md"  # feedback links to these pages
NOT_NEEDED = shutil.ignore_patterns("__pycache__", "*.egg-info", ".*")


class WithCourse(build_py):
    """Copies both into syncpoint/shipped; an editable installation finds them in the clone."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        for name in (*COURSE, *SIMGPU, *sorted(Path().glob(PAGES))):
            _copy(Path(name), Path(self.build_lib, "syncpoint", "shipped", name))


def _copy(path: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        shutil.copytree(path, to, ignore=NOT_NEEDED, dirs_exist_ok=True, copy_function=shutil.copyfile)
    else:
        shutil.copyfile(path, to)
