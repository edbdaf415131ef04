"""Similarity: the students' own cells, and nothing else, go to the tool that the configuration names."""

import csv
import sys
from pathlib import Path

import pytest
from classroom import DOUBLE, ROOT, SmallCourse

STAND_IN = """\
import pathlib, sys
report, *files = sys.argv[1:]
texts = {name: pathlib.Path(name).read_text() for name in files}
alike = [f"{a} = {b}" for a in texts for b in texts if a < b and texts[a] == texts[b]]
pathlib.Path(report, "alike.txt").write_text("\\n".join(alike))
"""


@pytest.fixture
def submitted(course: SmallCourse, tmp_path: Path) -> SmallCourse:
    """Two wrote the same, cy something else, dan no notebook, eve a megabyte; a stand-in for a tool compares files."""
    for student in ("ada", "bob"):
        course.submit(student, course.solved())
    course.submit("cy", course.solved(double="def double(x):\n    return x + x  # $(touch /tmp/x); `id`"))
    course.submit("dan", "no notebook")
    course.submit("eve", course.solved(double=DOUBLE + "x = 0\n" * 200_000))
    (tmp_path / "stand_in_for_a_similarity_tool.py").write_text(STAND_IN)
    command = [sys.executable, str(tmp_path / "stand_in_for_a_similarity_tool.py"), "{report}", "{files}"]
    course.configure(f"c.Similarity.command = {command!r}\n")
    return course


@pytest.mark.slow
def test_a_stand_in_for_the_tool_finds_equal_submissions(submitted: SmallCourse):
    for _ in range(2):  # a second run replaces the first
        done = submitted.must_run("syncpoint", "similarity", "async")
    why = "cannot be read, or are longer than 200,000 characters"
    assert f"Not compared, because they {why}: dan, eve." in done.stdout
    place = submitted.root / ".syncpoint" / "similarity" / "async"
    assert (place / "report" / "alike.txt").read_text() == "./ada/work.py = ./bob/work.py"
    text = (place / "files" / "ada" / "work.py").read_text()
    assert DOUBLE in text and "from mxnet import nd" not in text and "Hidden tests" not in text


@pytest.mark.slow
def test_a_tool_that_is_missing_or_fails_is_named(submitted: SmallCourse):
    for command, output in (("no-such-tool", "'no-such-tool' cannot be run"), ("false", "'false' ended with status 1")):
        submitted.configure(f"c.Similarity.command = [{command!r}]\n")
        done = submitted.run("syncpoint", "similarity", "async")
        assert done.returncode == 1 and output in done.stderr, done.stderr
    submitted.configure("c.Similarity.command = []\n")
    done = submitted.run("syncpoint", "similarity", "async")
    assert (done.returncode, "They were not compared" in done.stdout) == (0, True), done.stderr
    done = submitted.run("syncpoint", "similarity", "asink")
    assert done.returncode == 1 and "the course has no assignment 'asink': it has async." in done.stderr


TRAINS = """
def double(x):
    total = x * 0
    for step in range(10):
        if step % 2 == 0:
            total = total + x / 5
        else:
            total = total - x * 0
    total.wait_to_read()
    return total * 2
"""
RENAMED = "# all of it is mine\n" + TRAINS.replace("total", "summe").replace("step", "i").replace(
    "wait_to_read()", "w()"
)
OTHERWISE = """
def double(x):
    parts = [x, x]
    made = sum(parts[1:], parts[0])
    while not made.shape == x.shape:
        made = made.reshape(x.shape)
    with open("seen.txt", "w") as file:
        print(made.shape, file=file)
    return made
"""


@pytest.mark.exhaustive
@pytest.mark.dolos
def test_dolos_finds_renamed_copies_and_no_file_hides_the_others(course: SmallCourse):
    course.submit("ada", course.solved(double=TRAINS))
    course.submit("bob", course.solved(double=RENAMED))
    course.submit("cy", course.solved(double=OTHERWISE))
    course.submit("deep", course.solved(double="x = " + "(" * 20_000 + "1" + ")" * 20_000))  # no recursion ends there
    course.submit("odd", course.solved(double="def (:\n \ud7ff ))) [[["))
    command = ["node", str(ROOT / "scripts" / "dolos" / "compare.mjs"), "{report}", "{files}"]
    course.configure(f"c.Similarity.command = {command!r}\n")
    done = course.must_run("syncpoint", "similarity", "async")
    assert "./deep/work.py is left out" in done.stderr
    with (course.root / ".syncpoint" / "similarity" / "async" / "report" / "pairs.csv").open(newline="") as file:
        (first, *others) = csv.DictReader(file)
    assert (first["left"], first["right"]) == ("./ada/work.py", "./bob/work.py")
    assert float(first["similarity"]) > 0.9
    assert all(float(other["similarity"]) < 0.5 for other in others)
