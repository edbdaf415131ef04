"""An assignment `gpu` on the engine `torch`: an exercise each on values, order, memory and waits, of 4 points."""

import json
import shutil
from pathlib import Path
from typing import Any

import nbformat
from classroom import ROOT, exercise, nbgrader_cell, notebook_of
from nbformat.v4 import new_code_cell

from syncpoint.course.folder import Course
from syncpoint.judge.grade_notebook import grade_notebook
from syncpoint.judge.job import NotebookJob, Result
from syncpoint.judge.kernel import Kernel
from syncpoint.judge.student import Deadline, Student

TORCH = ROOT / ".venv-torch"
# A message that the device does not understand: it hears the notebook no more.
ENDS = "import simgpu.front.link as l, simgpu.frames as m\nl.link().post(13, m.json_message(13, {}))\n"
IMPORTS = "import torch, simgpu\ngpu = torch.get_device_module('simgpu')"
RIGHT = {
    "cube": "def cube(x):\n    return x @ x @ x",
    "queue_work": "def queue_work(x):\n    y = x @ x\n    return (y @ x).tanh()",
    "total": "def total(batches):\n    s = 0\n    for b in batches:\n        s = s + (b * b).sum()\n    return s",
    "one_by_one": "def one_by_one(x, n):\n    for _ in range(n):\n        x = x + 1\n"
    "        gpu.synchronize()\n    return x",
}
GRADERS = {
    "test_cube": '''
        """cube(x) is x to the third power, computed on the device."""
        import numpy as np
        from syncpoint.graders import EngineArray, array, core, hint, kind_of, saw

        def cube(student, rng):
            x = rng.normal(size=(5, 5)).astype("float32")
            seen = student.call("cube", array(x, device=1))
            with saw("It returned {kind}.", kind=kind_of(seen.returned)):
                assert isinstance(seen.returned, EngineArray) and seen.returned.device == 1
            with saw("Copies from the host: {count}.", seen.events, count=len(seen.uploads)):
                assert not seen.uploads and not seen.waits
            return seen.returned.values, x

        @core
        @hint("HINT-OF-VALUE: a product of three.")
        def test_value(student, rng):
            """TITLE-OF-VALUE: the third power, computed on the device."""
            value, x = cube(student, rng)
            assert np.allclose(value, x @ x @ x, rtol=1e-3, atol=1e-3), "HIDDEN-DETAIL"

        def test_type(student, rng):
            """TITLE-OF-TYPE: of the type of x, and still right."""
            value, x = cube(student, rng)
            assert value.dtype == x.dtype and np.allclose(value, x @ x @ x, rtol=1e-3, atol=1e-3)
        ''',
    "test_queue_work": '''
        """queue_work(x) only puts work into the queue."""
        import numpy as np
        from syncpoint.graders import EngineArray, array, core, first_wait, hint, saw

        def right(value, x):
            assert isinstance(value, EngineArray) and value.device == 1
            assert np.allclose(value.values, np.tanh(x @ x @ x), rtol=1e-3, atol=1e-3)

        def test_value(student, rng):
            """TITLE-OF-VALUE: it is right in the end."""
            x = rng.normal(size=(3, 3)).astype("float32")
            right(student.call("queue_work", array(x, device=1)).returned, x)

        @core
        @hint("HINT-OF-WAITING: look for a wait.")
        def test_does_not_wait(student, rng):
            """TITLE-OF-WAITING: it does not wait."""
            x = rng.normal(size=(3, 3)).astype("float32")
            seen = student.results_gated.call("queue_work", array(x, device=1))
            with saw("It waited by {first_wait}.", seen.events, first_wait=first_wait(seen.events)):
                assert not seen.waits and not seen.uploads
            assert seen.returned_while_gated and seen.ready is False
            right(seen.returned, x)

        @core
        def test_in_a_program(student, rng):
            """TITLE-OF-PROGRAM: nor where a program calls it."""
            x = rng.normal(size=(3, 3)).astype("float32")
            seen = student.results_gated.observe("program", x=array(x, device=1))
            assert not [event for event in seen["events"] if event.kind == "wait"] and seen["pending"]
            right(seen["result"], x)
        ''',
    "test_total": '''
        """total(batches) is the sum of all squares, with the memory of few batches."""
        import numpy as np
        from syncpoint.graders import EngineArray, array, core, saw

        COUNT, SIZE = 12, 1 << 14

        def called(student, rng):
            batches = rng.normal(size=(COUNT, SIZE)).astype("float32")
            seen = student.call("total", [array(batch, device=1) for batch in batches])
            assert isinstance(seen.returned, EngineArray) and seen.returned.device == 1
            assert np.allclose(seen.returned.values, (batches.astype(float) ** 2).sum(), rtol=1e-3)
            return seen

        def test_value(student, rng):
            """TITLE-OF-VALUE: the sum of squares."""
            called(student, rng)

        @core
        def test_memory(student, rng):
            """TITLE-OF-MEMORY: few batches at a time."""
            seen = called(student, rng)
            more = seen.memory[1].peak
            with saw("It used the memory of {batches:.0f} batches.", batches=more / (4 * SIZE)):
                assert more <= 3 * 4 * SIZE
                assert not seen.uploads and not seen.waits
        ''',
    "test_one_by_one": '''
        """one_by_one(x, n) adds one n times, and waits behind each."""
        import numpy as np
        from syncpoint.graders import array, core, saw

        def test_value(student, rng):
            """TITLE-OF-VALUE: x + n."""
            x = rng.normal(size=3).astype("float32")
            assert np.allclose(student.call("one_by_one", array(x, device=1), 5).returned.values, x + 5)

        @core
        def test_waits(student, rng):
            """TITLE-OF-WAITS: nothing is pending where the next one is added, nor at the end."""
            seen = student.results_gated.call("one_by_one", array(rng.normal(size=3).astype("float32"), device=1), 6)
            before = [event.pending - 1 for event in seen.events if event.label == "add"]
            with saw("Pending before each addition: {before}.", seen.events, before=before):
                assert before == [0] * 6
            assert seen.ready and not seen.pending
        ''',
}
SCENARIOS = '''
def program(probe, x):
    """A program that calls queue_work once."""
    with probe.run() as seen:
        result = seen.call(probe.find("queue_work"), probe.array(x))
        fixed = probe.fix(result)
    return seen.report(result=fixed)
'''


def source_notebook() -> Any:
    """The instructor's notebook."""
    imports = nbgrader_cell(new_code_cell, IMPORTS, "imports_of_gpu", locked=True)
    return notebook_of([imports, *(cell for name, source in RIGHT.items() for cell in exercise(name, source, 4))])


def add_assignment(root: Path, limits: str = "") -> None:
    """Lay the assignment into a course folder."""
    (root / "source" / "gpu").mkdir(parents=True)
    nbformat.write(source_notebook(), root / "source" / "gpu" / "gpu.ipynb")
    graders = root / "grader_tests" / "gpu"
    graders.mkdir(parents=True)
    for name, text in GRADERS.items():
        lines = text.strip("\n").splitlines()
        (graders / f"{name}.py").write_text("\n".join(line[8:] for line in lines) + "\n")
    (graders / "assignment.toml").write_text(f'engine = "torch"\n{limits}')
    (graders / "scenarios.py").write_text(SCENARIOS)
    if not (root / ".venv-torch").exists():
        (root / ".venv-torch").symlink_to(TORCH)


def with_cells(notebook: Any, cells: dict[str, str]) -> Any:
    """The notebook with these solutions, and right ones of the other exercises."""
    for cell in notebook["cells"]:
        identity = cell["metadata"].get("nbgrader", {}).get("grade_id")
        if identity in RIGHT:
            cell["source"] = cells.get(identity, RIGHT[identity])
    return notebook


def hand_in(root: Path, student: str, cells: dict[str, str]) -> None:
    """Hand in the release with these solutions."""
    notebook = with_cells(json.loads((root / "release" / "gpu" / "gpu.ipynb").read_text()), cells)
    folder = root / "submitted" / student / "gpu"
    folder.mkdir(parents=True)
    (folder / "gpu.ipynb").write_text(json.dumps(notebook))


class Bench:
    """A course of this one assignment, on which notebooks are judged as a submission is, without a gradebook."""

    def __init__(self, root: Path, limits: str = "[limits]\ncell_seconds = 12\nnotebook_seconds = 60\n"):
        root.mkdir()
        shutil.copy(ROOT / "nbgrader_config.py", root)
        add_assignment(root, limits)
        self.root, self.spec = root, Course(root).spec("gpu")

    def notebook(
        self, cells: dict[str, str], first: str = "", last: str = "", checks: dict[str, str] | None = None
    ) -> Any:
        """A submission with these solutions, a cell of the student's own before and after them, and visible checks."""
        notebook = with_cells(source_notebook(), cells)
        for name, source in (checks or {}).items():
            places = {cell.metadata.nbgrader.grade_id: place for place, cell in enumerate(notebook.cells)}
            notebook.cells.insert(
                places[f"test_{name}"], nbgrader_cell(new_code_cell, source, f"check_{name}", locked=True)
            )
        if first:
            notebook.cells.insert(1, new_code_cell(first))
        if last:
            notebook.cells.append(new_code_cell(last))
        return notebook

    def judge(
        self,
        cells: dict[str, str],
        first: str = "",
        last: str = "",
        files: dict[str, str] | None = None,
        checks: dict[str, str] | None = None,
    ) -> Result:
        """The result of such a submission."""
        beside = tuple(sorted((name, text.encode()) for name, text in (files or {}).items()))
        job = NotebookJob.of("gpu", self.notebook(cells, first, last, checks), [], beside, self.spec)
        return grade_notebook(self.spec, job, ROOT)


def student(kernel: Kernel, source: str, seconds: float = 60) -> Student:
    """A student whose notebook holds this."""
    reply = kernel.execute(f"{IMPORTS}\n{source}", 300)
    assert reply.content.get("status") == "ok", reply.outputs
    return Student(kernel, Deadline(seconds))
