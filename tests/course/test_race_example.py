"""The test that finds a race, as docs/how-to/write-an-exercise.md shows it."""

import re
from pathlib import Path

import pytest
from classroom import ROOT, SmallCourse

PAGE = (ROOT / "docs" / "how-to" / "write-an-exercise.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("### A test that finds a race")[2].partition("\n## ")[0]
WAIT = "    side.wait_stream(gpu.current_stream())\n"


@pytest.mark.exhaustive  # two solutions on PyTorch
def test_the_example_finds_the_race_and_passes_the_solution_that_waits(tmp_path: Path, torch_engine: Path):
    module, races = re.findall(r"^```python\n(.*?)^```$", SECTION, re.MULTILINE | re.DOTALL)
    here, course = SmallCourse(tmp_path / "here"), SmallCourse(tmp_path / "course")
    here.root.mkdir()
    done = [here.run("syncpoint", "init", "../course"), course.run("syncpoint", "new", "steps")]
    done.append(course.run("syncpoint", "new", "steps", "double", "--points", "4"))
    assert [one.stdout + one.stderr for one in done if one.returncode] == []
    graders = course.root / "grader_tests" / "steps"
    bank = graders / "bank" / "double"
    (graders / "test_double.py").write_text(module)
    for scaffold in bank.glob("1*.py"):
        scaffold.unlink()
    waits, found = re.subn(r"^(?=    with gpu)", WAIT, races.partition("def ")[2], flags=re.MULTILINE)
    assert found == 1
    (bank / "02_ok_waits.py").write_text(f"# The side stream waits for the sum.\ndef {waits}")
    (bank / "11_bad_races.py").write_text(races)
    done = course.run("syncpoint", "vet", "solutions", "steps/double")
    assert re.search(r"02_ok_waits +4\.00/4", done.stdout), done.stdout + done.stderr
    assert re.search(r"11_bad_races +0\.00/4", done.stdout) and done.returncode == 0, done.stdout + done.stderr
