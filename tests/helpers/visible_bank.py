"""Runs visible tests on solutions of the bank, as the check in a notebook does: a program for an engine's environment.

    python visible_bank.py WHEEL VISIBLE HOME JOBS

WHEEL: a folder with the wheel's package.  VISIBLE: the visible tests.  HOME: the files beside the notebooks.  JOBS: a
JSON file, [[exercise, cells before its solution, [solutions]]].  Prints JSON: for each solution its exercise, its file
and, for each test, whether it passed and what was said.
"""

import json
import os
import sys
from pathlib import Path

wheel, visible, home, jobs = (os.path.abspath(path) for path in sys.argv[1:])
os.environ["NBGRADER_EXECUTION"] = "1"
sys.path.insert(0, wheel)
sys.path.append("")
os.chdir(home)

from syncpoint_check.check.visible_tests import Visible  # noqa: E402

tests = Visible(Path(visible))
tests.about.prepare()
printed, sys.stdout = sys.stdout, sys.stderr  # cells print, too
found = []
for exercise, cells, solutions in json.loads(Path(jobs).read_text()):
    base: dict = {"__name__": "__main__"}
    for number, cell in enumerate(cells):
        exec(compile(cell, f"<ipython-input-{number}>", "exec"), base)
    for solution in solutions:
        notebook = dict(base)
        exec(compile(Path(solution).read_text(), "<ipython-input-99>", "exec"), notebook)
        output = [[test.passed, str(test.message or "")] for test in tests.check(exercise, notebook)]
        found.append([exercise, Path(solution).name, output])
json.dump(found, printed)
printed.flush()
os._exit(0)  # solutions leave threads behind
