"""How setuptools builds the wheel of Syncpoint: with the course, and with the package that the engine `torch` installs.

`pip install` of that wheel, `syncpoint init` and `syncpoint engine install` need no clone then.
"""

import shutil
from pathlib import Path

from setuptools.command.build_py import build_py

COURSE = ("nbgrader_config.py", "source", "grader_tests", "locale")
PAGES = "docs/misconceptions*.md"  # to which feedback leads
SIMGPU = ("pyproject.toml", "README.md", "src")
NOT_NEEDED = shutil.ignore_patterns("__pycache__", "*.egg-info", ".*")


class WithCourse(build_py):
    """Adds the course to the package; an editable installation finds it in the clone."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        package = Path(self.build_lib, "syncpoint")
        pages = [path.as_posix() for path in sorted(Path().glob(PAGES))]
        for name in (*COURSE, *pages):
            _copy(Path(name), package / "shipped" / name)
        for name in SIMGPU:
            _copy(Path("simgpu", name), package / "engines" / "torch" / "simgpu" / name)


def _copy(path: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        shutil.copytree(path, to, ignore=NOT_NEEDED, dirs_exist_ok=True, copy_function=shutil.copyfile)
    else:
        shutil.copyfile(path, to)
