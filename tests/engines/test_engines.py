"""Engines: one folder each, known by name nowhere else, and three of them in one course and one run."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
import toy_gpu
from classroom import ENGINE, LIMITS, ROOT, SmallCourse, exercise, nbgrader_cell, notebook_of
from gpu_cheats import WRONG
from nbformat.v4 import new_code_cell, new_notebook

from syncpoint.course.assignment import read_assignment
from syncpoint.course.folder import Course, CourseError
from syncpoint.course.settings import settings_for
from syncpoint.dashboard import queries as dashboard
from syncpoint.engines import find as engines
from syncpoint.engines.find import EngineError, find, read
from syncpoint.graders import Device, array, kind_of
from syncpoint.judge.judge_version import environment, judge_digest
from syncpoint.judge.kernel import Kernel
from syncpoint.judge.notebook_run import NotebookRun
from syncpoint.judge.student import Deadline, Student
from syncpoint.observe.errors import ProbeError
from syncpoint.sandbox.spec import SandboxSpec

PACKAGE = ROOT / "syncpoint"
PLAIN = ROOT / ".venv-plain"


# Where an engine's name has to stand, and why.
WORDS = re.compile(r"mxnet|\bMX[A-Z]\w+|\bndarray\.(wait|as)|wait_to_read|waitall|asnumpy|simgpu", re.IGNORECASE)


def test_outside_its_folder_nobody_knows_an_engine():
    sources = [path for path in PACKAGE.rglob("*") if path.suffix in (".py", ".html", ".json", ".sh", ".toml")]
    sources += [ROOT / "scripts" / "setup.sh", ROOT / "nbgrader_config.py"]
    folders = [PACKAGE / "engines" / name for name in ("mxnet", "torch", "setup")]
    outside = [path for path in sources if not any(path.is_relative_to(folder) for folder in folders)]
    found = {path.relative_to(ROOT).as_posix() for path in outside if WORDS.search(path.read_text())}
    assert found == set()


def test_the_graders_name_no_function_of_the_engines_library():
    graders = [path for path in (ROOT / "grader_tests").rglob("*.py") if "bank" not in path.parts]
    assert [path.name for path in graders if re.search(r"\bMX(ND|KV|Autograd|Invoke)\w+", path.read_text())] == []


def test_every_folder_with_a_description_is_an_engine():
    kinds = {name: find(name).kind for name in engines.folders()}
    assert kinds.items() >= {("mxnet", "inside"), ("plain", "inside"), ("torch", "process")}


@pytest.mark.parametrize(("optimized", "chosen"), [("second", "second"), ("none", "first")])
def test_environments_are_made_with_a_python_that_was_built_with_optimizations(tmp_path, optimized, chosen):
    folders = [tmp_path / name for name in ("first", "second")]
    for folder in folders:  # imitations: a machine need not have both kinds
        folder.mkdir()
        program = folder / "python3.11"
        program.write_text(
            f'#!/bin/sh\ncase "$*" in *CONFIG_ARGS*) exit {int(folder.name != optimized)} ;; esac\necho "$0"\n'
        )
        program.chmod(0o755)
    path = ":".join(map(str, folders))
    script = f'tools= uv=; . "{PACKAGE}/engines/setup/environments.sh"; PATH="{path}"; find_python "" 11 11'
    found = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == str(tmp_path / chosen / "python3.11")


def test_a_missing_engine_is_reported_with_the_existing_ones():
    with pytest.raises(EngineError, match=r"there is no engine 'jax': the engines are .*mxnet, .*plain, .*torch"):
        find("jax")


@pytest.mark.parametrize("name", ["../mxnet", "", "mxnet/inside"])
def test_the_name_of_an_engine_is_no_path(name: str):
    with pytest.raises(EngineError):
        find(name)


GOOD = 'title = "Toy"\n[environment]\npython = ["3.9", "3.13"]\nrequirements = "r.txt"\ncheck = "numpy"\n'


@pytest.mark.parametrize(
    ("text", "output"),
    [
        ("title = ", "Invalid value"),
        ('title = "T"\n', "'environment' is missing"),
        (GOOD.replace('["3.9", "3.13"]', '"3.9"'), ""),
        (GOOD.replace("check", "chek"), "unknown setting chek"),
        ('kind = "magic"\n' + GOOD, "kind is 'magic': it must be one of inside, process"),
        (GOOD + '[words]\narrow = "a"\n', "arrow"),
    ],
)
def test_an_invalid_description_is_reported_with_its_place(tmp_path: Path, text: str, output: str):
    (tmp_path / "engine.toml").write_text(text)
    with pytest.raises(
        EngineError, match=f"{re.escape(str(tmp_path))}/engine.toml does not describe an engine: .*{output}"
    ):
        read("toy", tmp_path)


def test_a_change_to_an_engine_judges_its_own_work_again_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("syncpoint.judge.judge_version.find", lambda name: read(name, tmp_path / name))

    def digests() -> list[str]:
        return [judge_digest.__wrapped__(name) for name in ("plain", "mxnet")]

    for name in ("mxnet", "plain"):
        shutil.copytree(PACKAGE / "engines" / name, tmp_path / name)
    before, inside = digests(), tmp_path / "plain" / "inside" / "__init__.py"
    inside.write_text(inside.read_text() + "changed = True\n")
    after = digests()
    assert (after[0] != before[0], after[1] == before[1]) == (True, True)


def test_a_changed_sentence_causes_no_new_judging_and_changed_code_does(monkeypatch: pytest.MonkeyPatch):
    usual, read_bytes = judge_digest.__wrapped__("plain"), Path.read_bytes

    def with_change_of(name: str) -> str:
        monkeypatch.setattr(Path, "read_bytes", lambda path: read_bytes(path) + b"#" * (path.name == name))
        return judge_digest.__wrapped__("plain")

    assert with_change_of("texts.py") == usual
    assert with_change_of("results.py") != usual


def test_the_version_of_a_package_of_ours_names_its_content(torch_engine: Path):
    """Otherwise a result of an older simulated GPU would count as one of this GPU."""
    (simgpu,) = [package for package in environment(torch_engine) if package.startswith("simgpu ")]
    assert re.fullmatch(r"simgpu [\d.]+\+[\d.]+", simgpu)


@pytest.mark.parametrize("file", ["engine.toml", "kernels.toml"])
def test_other_settings_of_an_engine_judge_its_work_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str):
    monkeypatch.setattr("syncpoint.judge.judge_version.find", lambda name: read(name, tmp_path))
    (tmp_path / "engine.toml").write_text(GOOD)
    digests = []
    for variable in ("wide", "narrow"):
        with (tmp_path / file).open("a") as settings:
            settings.write(f'[variables]\nSHAPE = "{variable}"\n')
        digests.append(judge_digest.__wrapped__("toy"))
        (tmp_path / file).write_text(GOOD)
    assert digests[0] != digests[1]


def test_set_up_reads_what_a_folder_says_of_its_environment():
    program = ROOT / "syncpoint" / "engines" / "find.py"
    done = subprocess.run(
        [ROOT / ".venv/bin/python", "-I", program, "plain"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    requirements = PACKAGE / "engines" / "plain" / "requirements.txt"
    assert done.stdout == f"plain|{requirements}|11|13|numpy|ENGINE_PYTHON|plain Python with NumPy||\n"


def test_set_up_makes_the_engines_that_the_assignments_name(tmp_path: Path):
    for name, engine in (("a", 'engine = "plain"\n'), ("b", ""), ("c", "engine = ")):
        (tmp_path / "grader_tests" / name).mkdir(parents=True)
        (tmp_path / "grader_tests" / name / "assignment.toml").write_text(engine)
    assert engines.used_by(tmp_path) == ["plain", "torch"]
    assert engines.used_by(tmp_path / "nowhere") == ["torch"]


@pytest.fixture(scope="module")
def plain(plain_engine: Path) -> Iterator[Kernel]:
    """A sandboxed kernel of the engine `plain`."""
    with Kernel(SandboxSpec(plain_engine)) as kernel:
        yield kernel


def solve(kernel: Kernel, source: str) -> Student:
    reply = kernel.execute(f"import numpy as np\n{source}", 300)
    assert reply.content.get("status") == "ok", reply.outputs
    return Student(kernel, Deadline(60))


VALUES = np.arange(6.0).reshape(2, 3)


def test_plain_gives_values_prints_and_errors(plain: Kernel):
    student = solve(plain, "def f(x, n):\n    print('n is', n)\n    return [x * n, {'sum': float(x.sum())}]")
    seen = student.call("f", array(VALUES), 3)
    assert (seen.stdout, seen.returned[1], seen.events) == ("n is 3\n", {"sum": 15.0}, ())
    np.testing.assert_array_equal(seen.returned[0], VALUES * 3)
    failed = solve(plain, "def f(x):\n    return x @ x").attempt("f", array(VALUES))
    assert failed.error is not None and failed.error.type == "ValueError"


def test_plain_shows_what_an_array_held_when_the_function_returned(plain: Kernel):
    seen = solve(plain, "def f(x):\n    x += 1\n    return x").call("f", array(VALUES))
    np.testing.assert_array_equal(seen.inputs[0], VALUES + 1)
    np.testing.assert_array_equal(seen.arguments[0], VALUES + 1)


@pytest.mark.parametrize("held", ["an argument", "results", "unrelated work"])
def test_a_grader_that_asks_plain_for_a_gate_gets_an_error(plain: Kernel, held: str):
    student = solve(plain, "def f(x):\n    return x")
    student = {"results": student.results_gated, "unrelated work": student.beside_unrelated_work}.get(held, student)
    with pytest.raises(ProbeError, match="computes immediately"):
        student.call("f", array(VALUES, gated=held == "an argument"))


def test_plain_has_its_own_part_inside_and_nothing_of_another_engine(plain: Kernel):
    reply = plain.execute(
        "import os; print(sorted(os.listdir('/opt/syncpoint/engine')), 'MXNET_HOME' in os.environ)", 300
    )
    assert reply.stdout == "['__init__.py'] False\n"


def test_who_patches_numpy_is_flagged_on_plain_too(plain_engine: Path):
    with Kernel(SandboxSpec(plain_engine)) as kernel:
        solve(kernel, "np.linalg.norm = lambda x: 0")
        (act,) = kernel.act_collector.acts
    assert "`numpy.linalg.norm` was replaced or changed" in str(act.message)


def test_who_patches_the_engines_part_inside_is_flagged(plain_engine: Path):
    with Kernel(SandboxSpec(plain_engine)) as kernel:
        solve(kernel, "type(get_ipython().kernel.engine).is_array = lambda self, value: True")
        sentences = " ".join(str(act.message) for act in kernel.act_collector.acts)
    assert "`probe.engine.Engine.is_array` was replaced or changed" in sentences


def test_feedback_has_the_words_of_the_engine_that_runs(plain_engine: Path):
    found = []
    for prefix in (ENGINE, plain_engine):
        with NotebookRun(new_notebook(cells=[new_code_cell("x = 1")]), SandboxSpec(prefix)) as run:
            run.student()
            found.append([str(kind_of(array(VALUES))), str(kind_of(Device(1)))])
    assert found == [["an MXNet array", "a context"], ["a NumPy array", "the host"]]


def of_the_docs(begins: str) -> str:
    """The block of docs/how-to/add-an-engine.md that begins with these words."""
    page = (ROOT / "docs" / "how-to" / "add-an-engine.md").read_text()
    (block,) = (block for _, block in re.findall(r"```(\w+)\n(.*?)```", page, re.DOTALL) if block.startswith(begins))
    return block


def test_an_engine_is_one_folder_that_a_package_may_bring(
    plain_engine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """As docs/how-to/add-an-engine.md tells it, with the blocks of that page."""
    folder = tmp_path / "site" / "toy_engine"
    (folder / "inside").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "engine.toml").write_text(of_the_docs('title = "Toy"'))
    (folder / "inside" / "__init__.py").write_text(of_the_docs('"""Arrays are lists of rows."""'))
    metadata = tmp_path / "site" / "toy_engine-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-engine\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[{engines.GROUP}]\ntoy = toy_engine\n")
    (tmp_path / ".venv-toy").symlink_to(plain_engine)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    with Kernel(SandboxSpec(tmp_path / ".venv-toy")) as kernel:
        seen = solve(kernel, "def f(rows):\n    return [type(rows).__name__, rows[::-1]]").call("f", array(VALUES))
    assert seen.returned == ["list", VALUES[::-1].tolist()]
    assert (find("toy").words.array, find("toy").environment.override) == ("a list of rows", "TOY_PYTHON")


def settings(course: Course, config: str = "", command_line: str = "") -> tuple[str, float]:
    """The engine and the seconds of a cell of the assignment `async`."""
    from traitlets.config import Application

    class App(Application):
        pass

    app = App()
    app.parse_command_line([command_line] if command_line else [])
    if config:
        (course.root / "nbgrader_config.py").write_text(f"c = get_config()\n{config}\n")
    given = course.settings()
    given.merge(app.cli_config)
    app.config = given
    chosen = course.settings_of("async", settings_for(app))
    return chosen.engine, chosen.limits.cell_seconds


FROM_CONFIG = 'c.GradeSubmission.engine = "config"\nc.GradeSubmission.cell_seconds = 7'
FROM_ASSIGNMENT = 'engine = "assignment"\n[limits]\ncell_seconds = 5\n'


def test_settings_come_from_the_command_line_then_the_assignment_then_the_configuration(tmp_path: Path):
    course = Course(tmp_path)
    (tmp_path / "grader_tests" / "async").mkdir(parents=True)
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\n")
    assert settings(course) == ("torch", 30)
    assert settings(course, FROM_CONFIG) == ("config", 7)
    (tmp_path / "grader_tests" / "async" / "assignment.toml").write_text(FROM_ASSIGNMENT)
    assert settings(course, FROM_CONFIG) == ("assignment", 5)
    assert settings(course, FROM_CONFIG, "--GradeSubmission.engine=line") == ("line", 5)
    assert settings(course, FROM_CONFIG, "--GradeSubmission.cell_seconds=3") == ("assignment", 3)


@pytest.mark.parametrize(
    ("text", "output"),
    [
        ("engine = ", "cannot be read"),
        ("engine = 3\n", "engine must be a string"),
        (
            'motor = "plain"\n',
            "unknown setting motor; choose one of title, language, engine, scenarios, graders, interface, opens, "
            "minutes, groups, limits",
        ),
        ("limits = 3\n", "limits must be a table"),
        ("[limits]\nseconds = 3\n", "unknown setting limits.seconds"),
        ("[limits]\nmemory_mib = 1.5\n", "limits.memory_mib must be a whole number above 0"),
        ("[limits]\ncell_seconds = -1\n", "limits.cell_seconds must be a number above 0"),
        ("[limits]\nprocesses = true\n", "limits.processes must be a whole number"),
    ],
)
def test_invalid_settings_of_an_assignment_are_reported_with_the_file(tmp_path: Path, text: str, output: str):
    (tmp_path / "grader_tests" / "async").mkdir(parents=True)
    path = tmp_path / "grader_tests" / "async" / "assignment.toml"
    path.write_text(text)
    with pytest.raises(CourseError, match=f"^{re.escape(str(path))}.* ?{output}"):
        Course(tmp_path).graders("async").settings()


def test_every_assignment_of_the_course_says_what_it_is():
    course = Course(ROOT)
    output = {name: course.graders(name).settings() for name in course.assignments()}
    assert {(settings.language, bool(settings.title)) for settings in output.values()} == {(None, True)}
    engines = {name: settings.engine for name, settings in output.items()}
    assert engines == {name: "torch" if name.startswith("torch_") else "mxnet" for name in engines}


def test_an_assignment_may_use_the_scenarios_of_another(tmp_path: Path):
    course = SmallCourse.make(tmp_path / "course")
    (course.root / "grader_tests" / "other").mkdir()
    (course.root / "grader_tests" / "other" / "scenarios.py").write_text("OURS = 1\n")
    file = course.root / "grader_tests" / "async" / "assignment.toml"
    assert Course(course.root).spec("async").scenarios is None
    file.write_text('scenarios = "other"\n')
    assert Course(course.root).spec("async").scenarios == b"OURS = 1\n"
    file.write_text('scenarios = "nobody"\n')
    with pytest.raises(CourseError, match=r"assignment\.toml: scenarios: there is no .*/nobody/scenarios\.py\.$"):
        Course(course.root).spec("async")


def test_a_changed_title_causes_no_new_judging_and_a_changed_engine_does(tmp_path: Path):
    course = SmallCourse.make(tmp_path / "course")
    file = course.root / "grader_tests" / "async" / "assignment.toml"
    specs = []
    for text in ("", 'title = "Another"\nlanguage = "de"\n', 'engine = "plain"\n', "[limits]\ncell_seconds = 9\n"):
        file.write_text(text)
        assert read_assignment(file) is not None
        specs.append(Course(course.root).spec("async"))
    usual, titled, plain, limited = (spec.digest for spec in specs)
    assert usual == titled
    assert len({usual, plain, limited}) == 3
    assert (specs[2].engine, specs[3].limits.cell_seconds) == ("plain", 9)


GRADER = '''
"""mean(x) is the mean."""

import numpy as np

from syncpoint.graders import array, hint, kind_of, saw


@hint("HINT-OF-MEAN")
def test_mean(student, rng):
    """TITLE-OF-MEAN: the mean of a vector."""
    x = rng.normal(size=5)
    with saw("x is {kind}.", kind=kind_of(x)):
        assert np.allclose(student.call("mean", array(x)).returned, x.mean(), atol=1e-5)
'''


def second_assignment(course: SmallCourse) -> None:
    """An assignment `warmup` on the engine `plain`, beside the one on MXNet."""
    imports = nbgrader_cell(new_code_cell, "import numpy as np", "imports_of_warmup", locked=True)
    mean = exercise("mean", "def mean(x):\n    return x.mean()", 4)
    (course.root / "source" / "warmup").mkdir()
    nbformat.write(notebook_of([imports, *mean]), course.root / "source" / "warmup" / "warmup.ipynb")
    graders = course.root / "grader_tests" / "warmup"
    graders.mkdir()
    (graders / "test_mean.py").write_text(GRADER)
    (graders / "assignment.toml").write_text('engine = "plain"\n')
    (course.root / ".venv-plain").symlink_to(PLAIN)


def hand_in(course: SmallCourse, student: str, source: str) -> None:
    notebook: dict[str, Any] = json.loads((course.root / "release" / "warmup" / "warmup.ipynb").read_text())
    for cell in notebook["cells"]:
        if cell["metadata"]["nbgrader"]["grade_id"] == "mean":
            cell["source"] = source
    folder = course.root / "submitted" / student / "warmup"
    folder.mkdir(parents=True)
    (folder / "warmup.ipynb").write_text(json.dumps(notebook))


@pytest.mark.exhaustive
def test_assignments_of_three_engines_are_graded_in_one_run(
    released: SmallCourse, plain_engine: Path, torch_engine: Path, tmp_path: Path
):
    course = released.copy(tmp_path / "course")
    course.configure(LIMITS)
    second_assignment(course)
    toy_gpu.add_assignment(course.root, "[limits]\nmemory_mib = 4096\ncell_seconds = 30\n")
    for assignment in ("warmup", "gpu"):
        course.must_run("nbgrader", "generate_assignment", assignment)
    course.submit("ada", course.solved())
    hand_in(course, "ada", "def mean(x):\n    return x.sum() / len(x)")
    hand_in(course, "bob", "def mean(x):\n    return x.max()")
    toy_gpu.hand_in(course.root, "ada", {})
    toy_gpu.hand_in(course.root, "bob", WRONG)
    course.must_run("nbgrader", "autograde", "*")
    with course.gradebook() as gradebook:
        scores = {
            (submission.assignment.name, submission.student.id): submission.score
            for assignment in gradebook.assignments
            for submission in gradebook.assignment_submissions(assignment.name)
        }
        shown = dashboard.submissions(gradebook.engine)
    assert set(zip(shown.assignment, shown.student, strict=True)) == set(scores)
    assert scores == {
        **{("async", "ada"): 6, ("warmup", "ada"): 4, ("warmup", "bob"): 0},
        **{("gpu", "ada"): 16, ("gpu", "bob"): pytest.approx(8 / 3, abs=1e-3)},
    }
    specs = {name: Course(course.root).spec(name) for name in ("async", "warmup", "gpu")}
    assert [spec.versions.engine.split()[0] for spec in specs.values()] == ["mxnet", "numpy", "torch"]
    course.must_run("nbgrader", "generate_feedback", "gpu")
    page = (course.root / "feedback" / "bob" / "gpu" / "gpu.html").read_text()
    assert "It waited by a copy of the values to the host" in page and "HIDDEN-DETAIL" not in page
    assert "Your code paused at the marked wait. By then it had enqueued 2 operations; afterwards it enqueued " in page


@pytest.mark.parametrize(("output", "asked"), [("jax", ()), ("mxnet", ("--GradeSubmission.engine=jax",))])
def test_an_assignment_on_an_engine_that_is_not_there_is_refused_by_name(
    course: SmallCourse, output: str, asked: tuple[str, ...]
):
    (course.root / "grader_tests" / "async" / "assignment.toml").write_text(f'engine = "{output}"\n')
    course.submit("ada", course.solved())
    done = course.nbgrader("autograde", "async", *asked)
    assert done.returncode != 0
    assert "there is no engine 'jax': the engines are mxnet, plain, torch." in done.stderr
    assert course.scores() == {}


def test_the_kernel_of_an_engine_imports_no_other(plain: Kernel):
    assert ENGINE.name == ".venv-mxnet"
    reply = plain.execute("import sys; print([name for name in sys.modules if 'mxnet' in name])", 300)
    assert reply.stdout == "[]\n"
