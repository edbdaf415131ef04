"""Puts the .pth file next to the module: Python reads it when it starts."""

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithStart(build_py):
    """All that pyproject.toml names, and the .pth file, which no setting of setuptools can name."""

    def run(self) -> None:
        """Build."""
        super().run()
        self.copy_file("mxnet_compat.pth", str(Path(self.build_lib, "mxnet_compat.pth")))


setup(cmdclass={"build_py": BuildWithStart})
