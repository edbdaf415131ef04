"""Which package may import which, one root of errors, one owner of limits."""

import ast
import importlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest
from classroom import BIN, ROOT
from traitlets.config import Config

from syncpoint.core.errors import SyncpointError
from syncpoint.core.limits import Limits
from syncpoint.core.messages import Message, from_data, to_data
from syncpoint.core.texts import TEXTS
from syncpoint.course.settings import read_settings
from syncpoint.nbgrader_hooks.preprocessor import GradeSubmission
from syncpoint.probe.acts import KINDS

PACKAGE = ROOT / "syncpoint"
# They run where the package is not: in the student's environment, and in set-up.
STOPS = ("timeout", "output", "notebook_output", "messages")  # a kernel that does not react to it hangs
ALONE = ("probe/", "doctor/browser.py", "engines/find.py")


@pytest.mark.parametrize("folder", [ROOT, ROOT / "simgpu"], ids=["syncpoint", "simgpu"])
def test_no_package_imports_what_it_must_not_know_and_none_itself_by_way_of_others(folder: Path):
    done = subprocess.run(
        [BIN / "lint-imports", "--no-logo", "--no-cache"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": "src"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout


def _imports(path: Path) -> Iterator[str]:
    """The modules that a file of the package imports, wherever in it."""
    tree = ast.parse(path.read_bytes())
    package = list(path.relative_to(ROOT).parent.parts)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            yield from (module, *(f"{module}.{alias.name}" for alias in node.names))


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


def test_the_map_is_read_in_ten_minutes_and_has_at_most_twenty_words_of_its_own():
    page = (ROOT / "docs" / "explanation" / "architecture.md").read_text()
    words = [word for word in page.split() if any(character.isalnum() for character in word)]
    assert len(words) <= 2000  # 200 a minute
    glossary = page.split("## The one idea")[1].split("\n## ")[0]
    own = re.findall(r"^\| (?!term \||-)([^|]+) \|", glossary, re.MULTILINE)
    assert 5 < len(own) <= 20 and len(own) == len(set(own))


EXAMPLES = ("write-an-exercise.md",)  # name modules of an invented assignment
PAGES = [
    *(path.relative_to(ROOT / "docs") for path in (ROOT / "docs").glob("explanation/*.md")),
    *(path.relative_to(ROOT / "docs") for path in (ROOT / "docs").glob("how-to/*.md") if path.name not in EXAMPLES),
    *(Path("reference", "observation.md"), Path("results", "accessibility.md")),
]
OF_AN_EXAMPLE = {"grader_tests/a/test_x.py"}
EXAMPLES = {Path("how-to/move.md")}  # pages about files of other tools


@pytest.mark.parametrize("page", [page for page in PAGES if page not in EXAMPLES], ids=str)
def test_a_page_names_no_module_that_is_not_there(page: Path):
    files = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    there = {"/" + name for name in files.split()}
    named = set(re.findall(r"`([\w./]+\.py)`", (ROOT / "docs" / page).read_text())) - OF_AN_EXAMPLE
    assert sorted(name for name in named if not any(path.endswith(f"/{name}") for path in there)) == []


def _parameters(node: ast.AST) -> list[str]:
    """What a function takes, or a class when it is made, and the attributes that a class declares."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        taken = node.args
        return [argument.arg for argument in (*taken.posonlyargs, *taken.args, *taken.kwonlyargs)]
    if isinstance(node, ast.ClassDef):
        declared = [ast.unparse(part.target) for part in node.body if isinstance(part, ast.AnnAssign)]
        made = [part for part in node.body if isinstance(part, ast.FunctionDef) and part.name == "__init__"]
        return [*declared, *(name for part in made for name in _parameters(part))]
    return []


def _prose_on_parameters(path: Path) -> list[str]:
    """The functions and classes whose docstring speaks of a parameter as in ``name: text``, and in no section."""
    found = []
    for node in ast.walk(ast.parse(path.read_bytes())):
        if names := "|".join(_parameters(node)):
            prose = re.split(r"\n(?:Args|Attributes|Returns|Yields|Raises):\n", ast.get_docstring(node) or "")[0]
            if re.search(rf"(?:^|\n|  )`*(?:{names})`*(?:, \w+)*: ", prose):
                found.append(f"{path.relative_to(PACKAGE)}:{node.name}")
    return found


def test_parameters_are_described_in_sections():
    # Of a section ruff knows whether a parameter is missing, or was renamed.
    assert [name for path in sorted(PACKAGE.rglob("*.py")) for name in _prose_on_parameters(path)] == []


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


def test_the_package_needs_no_folder_of_tests():
    there = [
        path.relative_to(PACKAGE).as_posix()
        for path in sorted(PACKAGE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and ast.unparse(node.right) == "'tests'"
    ]
    assert there == ["doctor/escape.py"]  # whether students can read what lies there
    imported = {name.partition(".")[0] for path in PACKAGE.rglob("*.py") for name in _imports(path)}
    assert "syncpoint" in imported and not {"tests", "classroom"} & imported


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


APART = {"partition", "rpartition", "removesuffix", "removeprefix", "startswith", "endswith", "split"}


def _sentences_taken_apart(path: Path) -> Iterator[str]:
    """Where code looks into a sentence, or compares one, in place of asking for its code or its parameters."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in APART:
            output = re.search(r"\b(said|message|problem|error|gone|sentence)\b", ast.unparse(node.func.value))
            texts = [part.value for part in node.args if isinstance(part, ast.Constant)]
            if output and any(isinstance(text, str) and re.search(r"[ a-z]", text) for text in texts):
                yield f"{path.relative_to(PACKAGE)}:{node.lineno} {ast.unparse(node)}"
        elif isinstance(node, ast.Compare):
            texts = [part.value for part in (node.left, *node.comparators) if isinstance(part, ast.Constant)]
            if any(isinstance(text, str) and re.search(r"[a-z]{3} [a-z]{2}.*[.:]$", text) for text in texts):
                yield f"{path.relative_to(PACKAGE)}:{node.lineno} {ast.unparse(node)}"


def test_no_code_takes_a_sentence_apart():
    found = [where for path in sorted(PACKAGE.rglob("*.py")) for where in _sentences_taken_apart(path)]
    assert found == []


def test_every_code_has_its_text():
    made = {f"act_{kind}" for kind in KINDS} | {f"{code}_hang" for code in STOPS}
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
