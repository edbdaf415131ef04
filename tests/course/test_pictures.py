"""The pictures of the notebooks, drawn as students see them; they are not drawn during grading."""

import base64
import json
import os
import re
import subprocess
from html import unescape
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
IMAGE = re.compile(r'<img alt="(?P<alt>[^"]+)" style="[^"]*" src="data:image/svg\+xml;base64,(?P<data>[^"]+)">')
# Keeps what a notebook would show, and beside it what is written and which arrows are drawn in the figure itself.
DRAW = """
import importlib, inspect, json, sys
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import drawing

shown = []


def keep(picture):
    figure = plt.gcf()
    written = [text.get_text() for axes in figure.axes for text in (axes.title, axes._left_title, *axes.texts)]
    written += [label.get_text() for axes in figure.axes if axes.axison for label in axes.get_yticklabels()
                if not axes.lines and not axes.images]
    arrows = sum(getattr(text, "arrow_patch", None) is not None for axes in figure.axes for text in axes.texts)
    shown.append({"html": picture._repr_html_(), "words": repr(picture), "written": written, "arrows": arrows})


drawing.display = keep
samples = {
    "draw_runs": [{"a loop": (1.5, [0.1, 0.7], [(0.0, 0.0), (0.5, 96.0), (1.5, 3.0)])}],
    "draw_memory": [{"a loop": [(0.0, 0.0), (0.5, 96.0), (1.5, 3.0)]}],
    "draw_clothes": [[[[[0, 1], [1, 0]]]] * 2, [2, 9]],
    "draw_schedule": ["mine", [["F0", "B0"], ["F0", "B0"]]],
    "draw_lanes": ["mine", {"host": [(0, 1, "call")], **{str(n): [(n, 1, f"box {n}")] for n in range(6)}}],
    "draw_boxes": ["mine", {"a": (0, 0, "one box", "white"), "b": (1, 0, "another", "white")}, []],
}
module, found = importlib.import_module(sys.argv[1]), {}
for name, function in inspect.getmembers(module, inspect.isfunction):
    if name.startswith("draw_"):
        function(*samples.get(name, []))
        found[name], shown = shown, []
assert not plt.get_fignums(), "a figure that stays open is shown once more, without words"
print(json.dumps(found))
"""


def plain(text: str) -> str:
    return " ".join(text.replace("$", "").split())


@pytest.mark.sample(2)
@pytest.mark.slow
@pytest.mark.parametrize("path", MODULES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_picture_can_be_drawn_and_has_words_that_say_the_same(path: Path):
    python = COURSE.engine_prefix(COURSE.graders(path.parent.name).settings().engine) / "bin" / "python"
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
    drawn = json.loads(done.stdout)
    assert drawn and [name for name, pictures in drawn.items() if not pictures] == []
    for name, pictures in drawn.items():
        for one in pictures:
            lost = [text for text in map(plain, one["written"]) if text not in one["words"]]
            if name not in ("draw_runs", "draw_memory"):  # curves: their words have what was measured
                assert (name, lost) == (name, [])
            assert len(re.findall("an arrow from .+? to ", one["words"])) == one["arrows"], name
            image = IMAGE.fullmatch(one["html"])
            assert image and unescape(image["alt"]) == one["words"]
            assert b"<svg" in base64.b64decode(image["data"])


NO_FONT = """
import matplotlib
matplotlib.use("Agg")
import drawing

drawing.display = lambda picture: print(picture.svg.decode())
drawing.draw_lanes("title", {"host": [(0, 1, "\U00012000 and more")]})
"""


@pytest.mark.slow
def test_words_that_no_font_has_stay_text_for_the_browser(torch_engine: Path):
    done = subprocess.run(
        [torch_engine / "bin" / "python", "-W", "error::UserWarning", "-c", NO_FONT],
        cwd=ROOT / "source" / "torch_async",
        env={"PYTHONDONTWRITEBYTECODE": "1", "PYTHONIOENCODING": "utf-8", "HOME": os.environ["HOME"]},
        capture_output=True,
        encoding="utf-8",
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert ">\U00012000 and more</text>" in done.stdout and "sans-serif" in done.stdout
