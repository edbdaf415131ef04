"""The pictures of the notebooks, drawn as students see them: while work is graded nobody draws them."""

import os
import subprocess
from pathlib import Path

import pytest
from classroom import ROOT

from syncpoint.course.folder import Course

COURSE = Course(ROOT)
MODULES = sorted(
    path
    for name in ("pictures", "streams_view", "parallel_view", "large_models_view")
    for path in (ROOT / "source").glob(f"*/{name}.py")
)
DRAW = """
import importlib, inspect, sys
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt

shown = []
plt.show = lambda: (shown.append(plt.gcf().canvas.draw()), plt.close("all"))
module = importlib.import_module(sys.argv[1])
for name, function in inspect.getmembers(module, inspect.isfunction):
    needed = [p for p in inspect.signature(function).parameters.values() if p.default is p.empty]
    if name.startswith("draw_") and not needed:
        before = len(shown)
        function()
        print(name, len(shown) - before)
"""


@pytest.mark.slow
@pytest.mark.parametrize("path", MODULES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_picture_can_be_drawn(path: Path):
    python = COURSE.engine_prefix(COURSE.assignment(path.parent.name).engine) / "bin" / "python"
    if not python.exists():
        pytest.skip(f"there is no {python}")
    environment = {name: value for name, value in os.environ.items() if name != "NBGRADER_EXECUTION"}
    done = subprocess.run(
        [python, "-W", "error::UserWarning", "-c", DRAW, path.stem],
        cwd=path.parent,
        env={**environment, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    drawn = dict(line.split() for line in done.stdout.splitlines())
    assert drawn and [name for name, pictures in drawn.items() if int(pictures) == 0] == []
