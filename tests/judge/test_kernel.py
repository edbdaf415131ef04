"""Interruptions of student code: each ends in a Fault with a reason, and points earned before are kept."""

import re
from collections.abc import Callable

import psutil
import pytest
from bad_class import FLOOD, HOG
from classroom import ENGINE
from nbformat.v4 import new_code_cell, new_notebook

from syncpoint.judge.errors import DeadKernelError
from syncpoint.judge.faults import Fault
from syncpoint.judge.kernel import Kernel
from syncpoint.judge.notebook_run import NotebookRun
from syncpoint.judge.student import Deadline, Student
from syncpoint.observe.errors import StudentError
from syncpoint.sandbox.spec import Limits, SandboxSpec

Start = Callable[..., Kernel]

SLEEP = "import time\ntime.sleep(600)"  # a loop would lose its time to others on a machine that is too busy
SWALLOW = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass"


def _fatal(kernel: Kernel, source: str, seconds: float = 300) -> Fault:
    with pytest.raises(DeadKernelError) as gone:
        kernel.execute(source, seconds)
    return gone.value.fault


# --- what the kernel outlives -------------------------------------------------------------------------------------


def test_endless_loop_is_interrupted(kernel: Kernel):
    fault = kernel.execute("while True: pass", 1).fault
    assert (fault.kind, kernel.fault) == ("timeout", None)
    assert str(fault.message) == "The code did not finish within 1 s and was stopped."


def test_kernel_keeps_its_variables_after_an_interrupt(kernel: Kernel):
    kernel.execute("kept = 17", 300)
    kernel.execute("while True: pass", 1)
    assert kernel.execute("print(kept)", 300).stdout == "17\n"


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "source",
    [FLOOD, "import sys\nwhile True: print('x' * 500, file=sys.stderr)", "while True: display('x' * 5000)"],
    ids=["stdout", "stderr", "display"],
)
def test_output_flood_is_stopped(start: Start, source: str):
    kernel = start()
    fault = kernel.execute(source, 300).fault
    assert (fault.kind, kernel.fault) == ("output", None)
    assert str(fault.message) == "The code printed more than 1 MiB and was stopped."


@pytest.mark.exhaustive
def test_what_is_kept_of_a_flood_is_bounded(kernel: Kernel):
    outputs = kernel.execute(FLOOD, 300).outputs
    assert sum(len(output.text) for output in outputs) < 2 * 2**20


@pytest.mark.exhaustive
def test_a_cell_that_chatters_on_and_never_says_it_is_idle_does_not_hold_the_judge(start: Start):
    kernel = start()
    chatter = """
import threading, time
session = get_ipython().kernel.session
send = session.send
session.send = lambda stream, kind, *rest, **more: None if kind == "status" else send(stream, kind, *rest, **more)
def talk():
    while True:
        print(".", flush=True)
        time.sleep(0.02)
threading.Thread(target=talk, daemon=True).start()
"""
    assert kernel.execute(chatter, 300).content["status"] == "ok"
    assert kernel.execute("1", 300).content["status"] == "ok"


def test_a_long_name_of_an_error_counts_as_output(start: Start):
    kernel = start()
    forged = """
kernel = get_ipython().kernel
content = {"ename": "x" * 2**22, "evalue": "", "traceback": []}
kernel.session.send(kernel.iopub_socket, "error", content, parent=kernel.get_parent("shell"))
"""
    reply = kernel.execute(forged, 300)
    assert reply.fault.kind == "output"
    assert len(str(reply.outputs)) < 2**20


def test_a_notebook_prints_no_more_than_eight_cells_may(start: Start):
    kernel = start()
    faults = [kernel.execute("print('x' * 900_000)", 300).fault for _ in range(12)]
    assert faults[0] is None
    assert "8 MiB that a notebook may print" in str(faults[-1].message)


def test_shared_memory_counts_as_memory(start: Start):
    kernel = start(memory_mib=600)
    shared = "import mmap, numpy\nheld = mmap.mmap(-1, 2**30)\nnumpy.frombuffer(held, dtype='u1')[:] = 1"
    shared += "\nimport time\ntime.sleep(60)"
    assert _fatal(kernel, shared).kind == "memory"


def test_one_large_output_is_within_the_limit_or_a_fault(kernel: Kernel):
    assert kernel.execute("print('x' * (3 * 2**20))", 300).fault.kind == "output"


def test_output_below_the_limit_is_kept_whole(kernel: Kernel):
    reply = kernel.execute("for _ in range(100): print('x' * 1000)", 300)
    assert reply.fault is None
    assert reply.stdout == ("x" * 1000 + "\n") * 100


def test_kernel_goes_on_after_a_memory_error(start: Start):
    kernel = start(memory_mib=700)
    assert kernel.execute(HOG, 300).content["ename"] == "MemoryError"
    assert kernel.execute("print(6 * 7)", 300).stdout == "42\n"


def test_input_is_refused_instead_of_waited_for(kernel: Kernel):
    assert kernel.execute("input()", 300).content["ename"] == "StdinNotImplementedError"


# --- what ends the kernel -----------------------------------------------------------------------------------------


def test_swallowed_interrupt_ends_the_kernel(start: Start):
    fault = _fatal(start(), SWALLOW, seconds=1)
    assert fault.kind == "hang"


def test_exit_names_its_status_and_nothing_else(start: Start):
    assert str(_fatal(start(), "import os; os._exit(3)").message) == "the kernel exited by itself (exit status 3)"


def test_segmentation_fault_is_a_crash(start: Start):
    assert "crashed" in str(_fatal(start(), "import ctypes; ctypes.string_at(1)").message)


def test_a_dead_kernel_says_the_same_to_every_later_request(start: Start):
    kernel = start()
    first = _fatal(kernel, "import os; os._exit(3)")
    assert _fatal(kernel, "1") == first


def test_killing_the_sandbox_from_inside_a_test_is_the_students_fault(start: Start):
    kernel = start()
    kernel.execute("def leave(): import os; os._exit(0)", 300)
    with pytest.raises(DeadKernelError, match="exited by itself"):
        Student(kernel, Deadline(20)).call("leave")


def test_stopped_kernel_leaves_no_process(start: Start):
    kernel = start()
    inside = kernel._server.processes
    _fatal(kernel, SWALLOW, seconds=1)
    _, alive = psutil.wait_procs(inside, timeout=20)
    assert (len(inside) > 1, alive) == (True, [])


# --- whole notebooks ----------------------------------------------------------------------------------------------


def _run(*sources: str, **limits: float) -> NotebookRun:
    notebook = new_notebook(cells=[new_code_cell(source) for source in sources])
    run = NotebookRun(notebook, SandboxSpec(ENGINE, limits=Limits(**limits)))
    with run:
        run.advance_to(len(sources))
    return run


@pytest.mark.exhaustive
def test_used_up_notebook_time_stops_later_cells():
    run = _run("print('first')", SLEEP, "print('third')", cell_seconds=20, notebook_seconds=2)
    stopped, *later = (str(incident.message) for incident in run.incidents)
    match = re.match(r"Cell ([12]) used up the last of the notebook's 2 s and was stopped\.", stopped)
    assert match  # where the machine is busy it may be the first cell, and the sentence goes on about that
    assert later == [f"Cell {n} did not run: the notebook used up its 2 s." for n in range(int(match[1]) + 1, 4)]


@pytest.mark.exhaustive
def test_tests_after_the_notebooks_time_say_so():
    cells = [new_code_cell("def f(): pass"), new_code_cell(SLEEP), new_code_cell("")]
    with NotebookRun(new_notebook(cells=cells), SandboxSpec(ENGINE, limits=Limits(notebook_seconds=1))) as run:
        run.advance_to(2)
        with pytest.raises(StudentError, match="The notebook had used up its time"):
            run.student().call("f")


def test_a_fault_names_the_cell_and_the_limit():
    run = _run("pass", SLEEP, cell_seconds=1)
    (incident,) = run.incidents
    assert str(incident.message).startswith("Cell 2 did not finish within 1 s and was stopped.")


def test_cells_after_an_exception_still_run():
    run = _run("1 / 0", "print('second')")
    assert [output.text for output in run.notebook.cells[1].outputs] == ["second\n"]


def test_cells_after_the_death_of_the_kernel_do_not_run():
    run = _run("import os; os._exit(0)", "print('second')")
    assert run.notebook.cells[1].outputs == []


def test_outputs_that_were_submitted_are_dropped():
    notebook = new_notebook(cells=[new_code_cell("1")])
    notebook.cells[0].outputs = ["forged"]
    with NotebookRun(notebook, SandboxSpec(ENGINE)) as run:
        run.advance_to(1)
    assert [output.data["text/plain"] for output in notebook.cells[0].outputs] == ["1"]
