"""A notebook cut off from its device continues with a new one; only the exercise that caused it is lost."""

from pathlib import Path
from typing import Any

import pytest
from classroom import nbgrader_cell
from nbformat.v4 import new_code_cell, new_notebook
from results import points
from toy_gpu import ENDS, IMPORTS, Bench

from syncpoint.core.limits import Limits
from syncpoint.judge import grade_notebook, notebook_run
from syncpoint.judge.notebook_run import NotebookRun
from syncpoint.judge.student import Deadline
from syncpoint.sandbox.cpu_share import CpuShare, Meter
from syncpoint.sandbox.spec import SandboxSpec

WORKS = "torch.ones(2, device='simgpu').sum().item()"


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[NotebookRun]:
    """The runs of all notebooks that are judged."""
    made: list[NotebookRun] = []

    def make(*given: Any) -> NotebookRun:
        made.append(NotebookRun(*given))
        return made[-1]

    monkeypatch.setattr(grade_notebook, "NotebookRun", make)
    return made


@pytest.mark.exhaustive
def test_the_same_mistake_in_two_exercises_costs_these_two_alone(
    torch_engine: Path, tmp_path: Path, runs: list[NotebookRun]
):
    """It ends the conversation in the visible check and again in the hidden tests."""
    bench = Bench(tmp_path / "course", "[limits]\ncell_seconds = 30\nnotebook_seconds = 200\n")
    wrong = {
        name: f"def {name}(x):\n    {ENDS.strip().replace(chr(10), '; ')}\n    return x"
        for name in ("cube", "queue_work")
    }
    check = "try:\n    {}(torch.ones(3, 3, device='simgpu'))\nexcept RuntimeError:\n    pass"
    result = bench.judge(wrong, first=ENDS, checks={name: check.format(name) for name in wrong})
    assert (points(result), result.cacheable, result.warnings) == ([0, 0, 4, 4], True, ())
    printed = [[note.code for note in exercise.notes] for exercise in result.notebook_result.exercises]
    assert printed == [
        ["device_cut_off"] * 2 + ["device_cut_off_in_tests"],
        ["device_cut_off"] * 4 + ["device_cut_off_in_tests"],
        ["device_cut_off"] * 5,
        ["device_cut_off"] * 5,
    ]
    first, check_of_cube, *_ = result.notebook_result.exercises[0].notes
    assert ("Cell 2 exceeded" in str(first), "`check_cube`" in str(check_of_cube)) == (True, True)
    cost, kernels = result.notebook_result.cost, runs[0].kernels
    assert (len(kernels), cost.kernel_start) == (6, sum(kernel.start_seconds for kernel in kernels))
    assert cost.kernel_busy == sum(kernel.busy_seconds for kernel in kernels)
    assert cost.kernel_stop == sum(kernel.stop_seconds for kernel in kernels)
    assert cost.peak_mib * 2**20 == max(kernel.peak_bytes for kernel in kernels)


def notebook(*sources: str) -> Any:
    """A notebook of these cells, of which "" is hidden tests."""
    grade = {"grade": True, "locked": True, "points": 1}
    return new_notebook(
        cells=[
            new_code_cell(source) if source else nbgrader_cell(new_code_cell, "", f"test_{place}", **grade)
            for place, source in enumerate((IMPORTS, *sources))
        ]
    )


def spec(torch_engine: Path) -> SandboxSpec:
    """The same for all, so that they find each other's sandboxes warm; a notebook may print half a MiB."""
    return SandboxSpec(torch_engine, limits=Limits(output_mib=1 / 16))


def outputs(run: NotebookRun, place: int) -> str:
    """Return the text that a cell printed."""
    return "".join(output.get("text", "") for output in run.notebook.cells[place].outputs)


@pytest.mark.exhaustive
def test_cells_that_end_one_device_after_the_other_have_no_more_before_the_next_exercise(
    torch_engine: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(notebook_run, "MAX_RESTARTS", 1)
    ends = [ENDS] * 2
    with NotebookRun(notebook(*ends, "", f"print({WORKS})"), spec(torch_engine)) as run:
        run.advance_to(len(ends) + 1)
        run.student()
        assert (run.restarts.without_device, run.kernel.cut_off != "") == (True, True)
        run.advance_to(len(ends) + 3)
        assert (run.restarts.without_device, run.kernel.cut_off) == (False, "")
        assert outputs(run, len(ends) + 2) == "2.0\n"
    assert [incident.message.code for incident in run.incidents] == ["device_cut_off", "device_cut_off_last"]


def test_a_new_kernel_has_what_the_notebook_had_left(torch_engine: Path):
    """And a thread that a later cell joins is nothing that was left running."""
    chatter = "print('x' * 60_000)\n"
    burn = "import time\nend = time.process_time() + 0.5\nwhile time.process_time() < end: pass\n"
    works = "import threading, time\ngo_on = threading.Event()\ndef work():\n    while not go_on.wait(0.01): pass\n"
    begins = works + "thread = threading.Thread(target=work)\nthread.start()"
    cells = [begins, *[chatter] * 5, burn + chatter + ENDS, *[chatter] * 3, "go_on.set()\nthread.join()", ""]
    with NotebookRun(notebook(*cells), spec(torch_engine)) as run:
        run.advance_to(12)
        run.student()
        moment = run.act_collector.moment.code
        assert (len(run.kernels), run.kernel.usage().cpu_seconds >= 0.5) == (2, True)
    assert [incident.message.code for incident in run.incidents] == ["device_cut_off", "notebook_output"]
    assert [len(outputs(run, place)) > 50_000 for place in (8, 9, 10)] == [True, True, False]
    assert (run.acts, moment) == ([], "in_tests")


def test_a_cell_without_time_to_run_again_is_reported(torch_engine: Path):
    with NotebookRun(notebook("import time\ntime.sleep(2)\nx = 1", ENDS, "x"), spec(torch_engine)) as run:
        run.advance_to(3)
        run.deadline = Deadline(1, run.kernel.meter)
        run.advance_to(4)
    codes = [(incident.message.code, incident.cell) for incident in run.incidents]
    assert codes == [("device_cut_off", 2), ("ran_again", 1), ("not_run", 3)]
    assert "Cell 2 used up the last of the notebook's 1 s" in str(run.incidents[1].message)


class FixedMeter(Meter):
    """A meter that reads what it is told."""

    def __init__(self) -> None:
        super().__init__(lambda: ({}, 0.0))
        self.reported = CpuShare()

    def read(self, age: float = 0.5) -> CpuShare:
        return self.reported


def test_what_others_took_from_the_first_kernel_counts_in_the_second():
    first, second = FixedMeter(), FixedMeter()
    deadline = Deadline(30, first)
    first.reported = CpuShare(passed=20, ran=0, waited=20, others=40, could=40)
    deadline.go_on_with(second, deadline.share)
    second.reported = CpuShare(passed=10, ran=10, waited=0, others=10, could=20)
    deadline.note()
    assert second.starved
