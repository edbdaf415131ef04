"""The check for students: its wheel contains no judge, and visible tests need nothing that is hidden."""

import ast
import io
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from classroom import BIN, ROOT, SmallCourse, released

from syncpoint import __version__
from syncpoint.course.check_wheel import check_wheel
from syncpoint.course.errors import NotForStudents
from syncpoint.course.folder import Course
from syncpoint.course.release import REQUIREMENTS
from syncpoint.course.visible import add_visible, visible_tests

PACKAGES = {"check", "core", "engines", "observe", "probe", "report"}
# What a module of the wheel may import besides the wheel and Python itself.  `probe` is its own, as an engine's inside
# calls it; every kernel of Jupyter's has traitlets and jupyter_core; setuptools, pydantic, pytest and the like are not
# in a student's environment.
OUTSIDE = {"numpy", "IPython", "traitlets", "jupyter_core", "mxnet", "torch", "simgpu", "probe", "tomllib"}
OF_THE_SERVER = {"jupyter_server", "tornado"}  # for check/feedback_page.py, which only Jupyter's server imports


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The modules in the wheel, by path."""
    with zipfile.ZipFile(io.BytesIO(check_wheel()[1])) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist() if name.endswith(".py")}


def imports(path: str, source: str) -> set[str]:
    """The modules that a module imports, whole names; those of the wheel begin with its package."""
    package = path.removesuffix(".py").split("/")[:-1]
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            found.add(".".join([*above, *([node.module] if node.module else [])]))
    return found


def test_it_holds_the_probe_the_engines_and_a_runner_and_no_judge(files: dict[str, str]):
    ours = {name for name in files if name.startswith("syncpoint_check/")}
    assert {name.split("/")[1] for name in ours if name.count("/") > 1} == PACKAGES
    assert {name for name in ours if name.startswith("syncpoint_check/probe/")} == {
        f"syncpoint_check/probe/{name}.py"
        for name in ("__init__", "handlers", "inside_engine", "load", "run", "serialization", "trace")
    }
    assert {name for name in files if not name.startswith("syncpoint_check/")} == {
        f"syncpoint_check-{__version__}.data/data/etc/ipython/ipython_kernel_config.py"
    }
    hidden = (
        "judge",
        "sandbox",
        "grade",
        "records",
        "grader_tests",
        "bank",
        "integrity",
        "audit",
        "acts.py",
        "device/",
    )
    assert [name for name in files if any(word in name for word in hidden)] == []


def test_its_modules_are_those_that_judge(files: dict[str, str]):
    for name, source in files.items():
        if name.startswith("syncpoint_check/") and name != "syncpoint_check/__init__.py":
            assert source == (ROOT / "syncpoint" / name.partition("/")[2]).read_text(), name


def test_it_imports_itself_and_what_students_have(files: dict[str, str]):
    known = {name.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for name in files}
    for path, source in files.items():
        for name in imports(path, source):
            if name.partition(".")[0] == "syncpoint_check":
                assert name in known, (path, name)
            else:
                first, on_server = name.partition(".")[0], path.endswith("/check/feedback_page.py")
                assert first in sys.stdlib_module_names | OUTSIDE | (OF_THE_SERVER if on_server else set()), (
                    path,
                    name,
                )


def test_it_is_python_3_9(files: dict[str, str], tmp_path: Path):
    """No engine runs on an older one; what stands for types only is not looked at when it is imported."""
    for path, source in files.items():
        if "/engines/torch/" not in path:  # PyTorch's environment has 3.11
            ast.parse(source, feature_version=(3, 9))
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(source)
    command = [BIN / "ruff", "check", "--isolated", "--target-version", "py39", "--select", "FA102,F,E9", "--no-cache"]
    done = subprocess.run([*command, "--ignore", "F401,F821", tmp_path], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("assignment", sorted(p.parent.name for p in (ROOT / "grader_tests").glob("*/visible")))
def test_visible_tests_need_nothing_hidden(assignment: str):
    assert visible_tests(Course(ROOT), assignment)


def test_visible_tests_that_are_shared_name_the_interface_of_their_assignment():
    shared, own = visible_tests(Course(ROOT), "async"), visible_tests(Course(ROOT), "async_np")
    assert set(shared) == set(own)
    for name, text in own.items():
        line = '\nINTERFACE = "np"\n' if name.startswith("test_") else ""
        assert text.replace(line, "", 1) == shared[name]
        assert line in text
    assert len(own) > 4


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("from passes import train_epoch", "imports passes"),
        ("import test_loops", "imports test_loops"),
        ("from syncpoint.graders import array", "imports syncpoint"),
        ("import device_log", "imports device_log"),
        ("from ..passes import train_epoch", "imports from above"),
        ("def test_x(student):\n    from grader_tests import epochs", "imports grader_tests"),
        ("def", "is not valid Python"),
    ],
)
def test_a_visible_test_that_needs_what_is_hidden_is_refused(line: str, named: str, tmp_path: Path):
    for name in ("device_log", "torch_async/passes", "torch_async/test_loops"):
        path = tmp_path / "grader_tests" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    course, folder = Course(tmp_path), tmp_path / "grader_tests" / "torch_async" / "visible"
    folder.mkdir()
    (folder / "test_x.py").write_text("import numpy\nfrom syncpoint_check import array\nimport helper\n")
    (folder / "helper.py").write_text("")
    assert set(visible_tests(course, "torch_async")) == {"helper.py", "test_x.py"}
    (folder / "test_x.py").write_text(line)
    with pytest.raises(NotForStudents, match=named):
        visible_tests(course, "torch_async")


def test_the_release_has_the_visible_tests_and_the_wheel(tmp_path: Path):
    add_visible(Course(ROOT), "async", tmp_path)
    name, content = check_wheel()
    assert (tmp_path / name).read_bytes() == content
    tests = {path.name for path in (ROOT / "grader_tests" / "async" / "visible").glob("*.py")}
    assert {path.name for path in (tmp_path / "visible").iterdir()} == tests | {"check.json"}
    assert (tmp_path / "visible" / "check.json").read_text() == '{"engine": "mxnet"}\n'
    empty = tmp_path / "empty"
    empty.mkdir()
    add_visible(Course(SmallCourse.make(tmp_path / "course").root), "async", empty)
    assert {path.name for path in empty.iterdir()} == {name, "visible"}
    assert (empty / "visible" / "check.json").read_text() == "{}\n"


@pytest.mark.parametrize("page", ["guide.md", "guide.zh_CN.md", "guide.pt_BR.md"])
def test_the_page_for_students_installs_what_lies_in_every_release(page: str, tmp_path: Path):
    lines = (ROOT / "docs" / "students" / page).read_text().splitlines()
    torch, mxnet = [line for line in lines if "pip install" in line and f"-r {REQUIREMENTS}" in line]
    assert "torch==2.13.0" in torch and mxnet == f"pip install -r {REQUIREMENTS}"
    releases = [released(path.name, tmp_path / path.name) for path in (ROOT / "release").glob("*/")]
    assert len(releases) == 9
    for release in releases:
        listed = (release / REQUIREMENTS).read_text()
        wheels = list(release.glob("*.whl"))
        assert wheels and all(f"./{path.name} " in listed for path in wheels), release
