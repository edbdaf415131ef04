"""The commands of the docs: each block says which test runs it or why none does, and is typed as programs take it."""

import re
import shlex
from pathlib import Path

import click
import pytest
import typer
from classroom import ROOT, SmallCourse

from syncpoint.cli import app
from syncpoint.course.folder import Course

PLACES = ("*.md", "docs/*.md", "simgpu/**/*.md", "bank/**/*.md", "requirements/**/*.md", "deploy/**/*.md")
BLOCK = re.compile(
    r"^(?: *<!-- (?P<how>run by|not run:) (?P<what>.+?) -->\n)?(?P<indent> *)```(?:bash|sh|shell|console)\n"
    r"(?P<text>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)
TRANSLATION = re.compile(r"\.[a-z]{2}_[A-Z]{2}\.md$")
COMMAND: click.Group = typer.main.get_command(app)  # type: ignore[assignment]
PROGRAMS = {"syncpoint", "nbgrader", "make", "pytest", "dask", "systemctl"}


def _blocks() -> list[tuple[str, re.Match[str]]]:
    paths = sorted({path for place in PLACES for path in ROOT.glob(place) if "node_modules" not in path.parts})
    return [
        (f"{path.relative_to(ROOT)}:{match['text'].strip().splitlines()[0][:40]}", match)
        for path in paths
        if not TRANSLATION.search(path.name)
        for match in BLOCK.finditer(path.read_text(encoding="utf-8"))
    ]


BLOCKS = _blocks()


def words(block: re.Match[str]) -> list[list[str]]:
    """The commands of a block, each as its words."""
    lines = [line for line in block["text"].splitlines() if line.strip() and not line.lstrip().startswith("#")]
    typed = [part for line in lines for part in re.split(r" && ", line)]
    return [shlex.split(line, comments=True) for line in typed]


@pytest.mark.parametrize("block", [match for _, match in BLOCKS], ids=[name for name, _ in BLOCKS])
def test_a_block_names_the_test_that_runs_it_or_the_reason_why_none_does(block: re.Match[str]):
    assert block["how"], "write <!-- run by tests/... --> or <!-- not run: reason --> above it"
    if block["how"] == "not run:":
        assert len(block["what"].split()) >= 3
        return
    said = "\n".join((ROOT / name).read_text() for name in block["what"].split(", "))
    for command in words(block):
        if command[0] in PROGRAMS and Path(__file__).name not in block["what"]:
            word = command[0] if command[0] == "pytest" else command[1]
            assert re.search(rf"\b{re.escape(word)}\b", said), f"{block['what']} does not run {command}"


@pytest.mark.parametrize("block", [match for _, match in BLOCKS], ids=[name for name, _ in BLOCKS])
def test_a_command_is_typed_as_the_program_takes_it(block: re.Match[str]):
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    for command in words(block):
        if command[0] == "make" and len(command) > 1 and command[1] != "-C":
            assert command[1] in targets, command
        if command[0] == "syncpoint":
            arguments = [word for word in command[1:] if not word.startswith(">")]
            if ">" in command:
                arguments = arguments[: command[1:].index(">")]
            group: click.Command = COMMAND
            while isinstance(group, click.Group):
                assert arguments[0] in group.commands, command
                group = group.commands[arguments.pop(0)]
            group.make_context("syncpoint", arguments, resilient_parsing=False)


# --- the first class ----------------------------------------------------------------------------------------------


@pytest.mark.torch
@pytest.mark.sandbox
@pytest.mark.exhaustive  # two notebooks with their tests: a minute
def test_the_first_class_is_graded_as_the_page_says(tmp_path: Path, torch_engine: Path):
    course = Course(ROOT).copy_to(tmp_path / "course")
    page = (ROOT / "docs" / "first-class.md").read_text(encoding="utf-8")
    blocks = [match["text"] for match in BLOCK.finditer(page) if match["how"] == "run by"]
    script = "".join(text for text in blocks if "export PATH" not in text and "syncpoint dashboard" not in text)
    done = SmallCourse(course.root).run("bash", "-euc", script)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"ada .* 28 \+", done.stdout) and re.search(r"ben .* 0 ", done.stdout)
    assert "NotImplementedError" in done.stdout
    assert (course.root / "feedback" / "ben" / "torch_async" / "memory.html").is_file()
    assert (course.root / "grades.csv").read_text().count("torch_async") == 2
