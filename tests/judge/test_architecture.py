"""One root of errors, one owner of limits, a text for each message; `make lint` knows which package imports which."""

import ast
import importlib
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest
from classroom import ROOT
from traitlets.config import Config

from syncpoint.core.errors import SyncpointError
from syncpoint.core.limits import Limits
from syncpoint.core.messages import Message, from_data, to_data
from syncpoint.core.texts import TEXTS
from syncpoint.course.settings import read_settings
from syncpoint.judge.faults import HANGS
from syncpoint.nbgrader_hooks.preprocessor import GradeSubmission
from syncpoint.probe.acts import KINDS

PACKAGE = ROOT / "syncpoint"
# They run where the package is not: in the student's environment, and in set-up.
ALONE = ("probe/", "doctor/browser.py", "engines/find.py")


def _errors() -> list[tuple[str, str]]:
    """Module and name of each exception class that the package defines."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        if not name.startswith(ALONE):
            for node in ast.walk(ast.parse(path.read_bytes())):
                bases = [ast.unparse(base) for base in node.bases] if isinstance(node, ast.ClassDef) else []
                if any(re.search(r"(Error|Exception|CannotGrade)$", base) for base in bases):
                    found.append((f"syncpoint.{name.removesuffix('.py').replace('/', '.')}", node.name))
    return found


def test_all_errors_have_one_root():
    errors = {name: getattr(importlib.import_module(module), name) for module, name in _errors()}
    assert {"CourseError", "DeadKernelError", "JudgeDied", "GraderError", "Refused"} <= errors.keys()
    assert [name for name, error in errors.items() if not issubclass(error, SyncpointError)] == []


OTHERS = {"write-an-exercise.md", "move.md"}  # name modules of an invented assignment, and of other tools
DOCS = ROOT / "docs"
PAGES = [
    *(path for folder in ("explanation", "how-to") for path in sorted((DOCS / folder).glob("*.md"))),
    *(DOCS / "reference" / "observation.md", DOCS / "results" / "accessibility.md"),
]
OF_AN_EXAMPLE = {"grader_tests/a/test_x.py"}


@pytest.mark.parametrize("page", [page for page in PAGES if page.name not in OTHERS], ids=lambda page: page.stem)
def test_a_page_names_no_module_that_is_not_there(page: Path):
    files = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    there = {"/" + name for name in files.split()}
    named = set(re.findall(r"`([\w./]+\.py)`", page.read_text())) - OF_AN_EXAMPLE
    assert sorted(name for name in named if not any(path.endswith(f"/{name}") for path in there)) == []


@pytest.mark.parametrize("limit", [field.name for field in fields(Limits)])
def test_a_limit_is_a_setting_with_the_same_default_and_a_row_in_the_reference(limit: str):
    default = getattr(Limits(), limit)
    assert GradeSubmission.class_traits()[limit].default_value == default
    row = f"| `{limit}` | {default:g} |"
    page = ROOT / "docs" / "reference" / "configuration.md"
    assert row in page.read_text(), f"{page}, Limits, lacks the row {row}"
    settings = read_settings(Config(GradeSubmission={limit: default + 1}))
    assert getattr(settings.limits, limit) == default + 1


def test_somebody_holds_submissions_to_each_limit():
    read = {node.attr for path in sorted(PACKAGE.rglob("*.py")) for node in _attributes(path)}
    assert {field.name for field in fields(Limits)} - read == set(), "a setting of core/limits.py that nobody looks at"


def _attributes(path: Path) -> Iterator[ast.Attribute]:
    return (node for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.Attribute))


def test_scenarios_use_nothing_private_of_the_probe():
    private = [
        f"{path.parent.name}:{node.lineno} {ast.unparse(node)}"
        for path in sorted((ROOT / "grader_tests").glob("*/scenarios.py"))
        for node in _attributes(path)
        if node.attr.startswith("_") and re.match(r"(probe|seen|trace|run)\b", ast.unparse(node.value))
    ]
    assert private == []


# --- messages -----------------------------------------------------------------------------------------------------


def _codes() -> set[str]:
    """The codes that the source gives to messages."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        makers = ("Message", "Message.of", "cls") if "class Message" in path.read_text() else ("Message", "Message.of")
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in makers and node.args:
                found |= {
                    part.value
                    for part in ast.walk(node.args[0])
                    if isinstance(part, ast.Constant) and re.fullmatch(r"[a-z]\w{3,}", str(part.value))
                }
    return found


def test_every_code_has_its_text():
    made = {f"act_{kind}" for kind in KINDS} | {*HANGS.values()}
    assert sorted((_codes() | made) - TEXTS.keys() - {"name", "code", "act_", "line", "type"}) == []


def test_a_message_crosses_as_data():
    output = Message.of("raised", who=Message("your_code"), error=Message.of("error_at", type="ValueError", line=3))
    assert from_data(to_data(output)) == output
    assert str(output) == "Your code raised ValueError (line 3 of a cell)."


def test_a_message_of_another_version_is_no_error():
    assert str(Message("of_the_future", {"limit": 3})) == "of_the_future 3"
    assert str(Message("timeout", {})) == "timeout"


def test_the_judge_needs_neither_nbgrader_nor_a_database():
    program = "import sys, syncpoint.judge.judging_main, syncpoint.judge.grade_notebook; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=Path.home())
    assert {"nbgrader", "sqlalchemy", "rich", "nbconvert"} & set(run.stdout.split()) == set()
