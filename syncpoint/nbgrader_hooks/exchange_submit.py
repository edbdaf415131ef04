"""Submits the student's own files: unchanged files of the release stay behind.

``c.ExchangeFactory.submit`` on a student's server names it.  A release has wheels and data of a megabyte or more, and
grading uses the course's own copies of them in any case.
"""

import filecmp
import os
from pathlib import Path
from typing import Any

from nbgrader.exchange.default import ExchangeSubmit


class Submit(ExchangeSubmit):
    """nbgrader's submit, without unchanged files of the release. Notebooks are always submitted."""

    def do_copy(self, src: str, dest: str, log: Any = None) -> None:
        super().do_copy(src, dest, log)
        for place, _, names in os.walk(dest, topdown=False):
            for path in (Path(place, name) for name in names if not name.endswith(".ipynb")):
                released = Path(self.release_path, path.relative_to(dest))
                if released.is_file() and path.is_file() and filecmp.cmp(released, path, shallow=False):
                    path.unlink()
            if place != dest and not os.listdir(place):
                os.rmdir(place)
