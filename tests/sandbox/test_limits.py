"""Limits: for each one, a submission that exceeds it, the student's message, and the effect on others."""

import ast
import contextlib
import errno
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from bad_class import FLOOD, FORK, HOG, HOGS
from classroom import ENGINE, SmallCourse
from nbformat.v4 import new_code_cell, new_notebook

from syncpoint.judge.errors import DeadKernelError
from syncpoint.judge.kernel import Kernel
from syncpoint.judge.notebook_run import NotebookRun
from syncpoint.sandbox import sandbox, usage
from syncpoint.sandbox.cgroup import PREFIX, WEIGHT, ControlGroup, find_parent, own_groups
from syncpoint.sandbox.pool import close_all
from syncpoint.sandbox.seccomp import ARCHITECTURES, X32, refused_numbers
from syncpoint.sandbox.spec import Limits, SandboxSpec
from syncpoint.sandbox.usage import Usage, usage_of_processes

Start = Callable[..., Kernel]

MACHINE = os.uname().machine

BURN = """
import os
for _ in range(8):
    if os.fork() == 0:
        while True: pass
while True: pass
"""
# Each child ends before it took much: only together, and only for whoever counts the dead, is it too much.
BURN_IN_TURNS = """
import os, time
while True:
    if os.fork() == 0:
        before = time.process_time()
        while time.process_time() < before + 0.5: pass
        os._exit(0)
    os.wait()
"""
FILL = "for number in range(100): open(f'{number}', 'wb').write(bytes(2**20))"
THREADS = """
import threading, time
for _ in range(400): threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
time.sleep(600)
"""
# What honest notebooks do with processes, shared memory and callbacks from C.
HONEST = """
import ctypes, multiprocessing, subprocess
import mxnet as mx
def square(n): return n * n
with multiprocessing.get_context("fork").Pool(2) as pool: print(pool.map(square, range(4)))
data = mx.gluon.data.ArrayDataset(mx.nd.ones((4, 2)))
print(sum(batch.sum().asscalar() for batch in mx.gluon.data.DataLoader(data, batch_size=2, num_workers=1)))
print(ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(lambda n: n + 1)(41))
print(subprocess.check_output(["echo", "hello"], text=True))
"""
EMPTY_FILES = "import os\nfor n in range(10**7): os.close(os.open(f'/tmp/{n}', os.O_CREAT))"
FULL_SOCKETS = """
import os, socket, time
for _ in range(20):
    if os.fork() == 0:
        kept = [socket.socketpair() for _ in range(100)]
        time.sleep(600)
time.sleep(600)
"""

# No limit of this course may be met by waiting for a busy machine; that of a cell is in tests/helpers/bad_class.py.
GENEROUS = """
c.GradeSubmission.cell_seconds = 300
c.GradeSubmission.notebook_seconds = 400
c.GradeSubmission.cpu_seconds = 15
c.GradeSubmission.disk_mib = 16
"""
OFFENDERS = {
    "cpu": (BURN, "In cell 4 (`double`): the notebook took too much processor time (limit 15 s, all cores together)."),
    "disk": (FILL, "Cell 4 (`double`) raised OSError: too much was written (limit 16 MiB)."),
    "memory": (HOGS, "In cell 4 (`double`): the kernel ran out of memory (limit 1024 MiB)."),
    "messages": (
        "import numpy\ndef double(x):\n    return numpy.zeros(2**27, 'u1')",
        "sent the grader too much data and was stopped (limit 64 MiB at a time, 192 MiB in the tests of an exercise)",
    ),
    "output": (FLOOD, "Cell 4 (`double`) printed more than 1 MiB and was stopped."),
    "processes": (FORK, "too many processes or threads (limit 60)"),
}


@pytest.fixture(scope="module")
def graded_class(released: SmallCourse, tmp_path_factory: pytest.TempPathFactory) -> SmallCourse:
    """Everybody solves the first exercise and exceeds one limit in the second; zoe comes last and is right."""
    course = released.copy(tmp_path_factory.mktemp("limits") / "course")
    course.configure(GENEROUS)
    for student, (source, _) in OFFENDERS.items():
        course.submit(student, course.solved(double=source))
    course.submit("zoe", course.solved())
    course.must_run("nbgrader", "autograde", "async")
    course.must_run("nbgrader", "generate_feedback", "async")
    return course


@pytest.mark.parametrize("limit", OFFENDERS)
def test_whoever_exceeds_a_limit_reads_which_one(graded_class: SmallCourse, limit: str):
    assert OFFENDERS[limit][1] in graded_class.feedback_text(limit)


def test_whoever_exceeds_a_limit_keeps_what_was_earned_before_and_whoever_comes_after_gets_full_marks(
    graded_class: SmallCourse,
):
    assert graded_class.scores() == {**dict.fromkeys(OFFENDERS, (4, 0)), "zoe": (4, 2)}


@pytest.mark.exhaustive
def test_processor_time_of_processes_that_ended_counts(start: Start):
    kernel = start(cpu_seconds=8)
    with pytest.raises(DeadKernelError) as gone:
        kernel.execute(BURN_IN_TURNS, 300)
    assert gone.value.fault.kind == "cpu"
    assert str(gone.value.fault.message) == "the notebook took too much processor time (limit 8 s, all cores together)"


@pytest.mark.parametrize(
    ("source", "kind", "output"),
    [
        (EMPTY_FILES, "disk", "the code made too many files (limit 768)"),
        (
            FULL_SOCKETS,
            "memory",
            "the code kept too many files, pipes and sockets open (limit 2048, all processes together)",
        ),
    ],
    ids=["files", "sockets"],
)
@pytest.mark.skipif(find_parent() is not None, reason="a control group counts the memory that these take")
def test_what_takes_memory_of_nobody_is_counted(start: Start, source: str, kind: str, output: str):
    with pytest.raises(DeadKernelError) as gone:
        start(disk_mib=1).execute(source, 300)
    assert (gone.value.fault.kind, str(gone.value.fault.message)) == (kind, output)


def test_sleeping_takes_no_processor_time(kernel: Kernel):
    before = kernel._server.usage().cpu_seconds
    kernel.execute("import time; time.sleep(3)", 300)
    assert kernel._server.usage().cpu_seconds - before < 2


def test_too_many_threads_are_called_so():
    notebook = new_notebook(cells=[new_code_cell(THREADS)])
    with NotebookRun(notebook, SandboxSpec(ENGINE, limits=Limits(processes=30))) as run:
        run.advance_to(1)
    assert "too many processes or threads (limit 30)" in str(run.incidents[0].message)


@pytest.mark.parametrize(
    ("source", "kind"),
    [(HOG, "memory"), (FILL, "disk"), ("raise ValueError", "raised")],
    ids=["memory", "disk", "an error of its own"],
)
def test_an_exception_behind_which_a_limit_stands_counts_as_that_limit(source: str, kind: str):
    limits = Limits(memory_mib=700, disk_mib=16)
    with NotebookRun(new_notebook(cells=[new_code_cell(source)]), SandboxSpec(ENGINE, limits=limits)) as run:
        run.advance_to(1)
    assert [incident.kind for incident in run.incidents] == [kind]


def test_a_process_that_is_no_more_uses_nothing():
    with subprocess.Popen(["true"]) as ended:
        ended.wait()
    assert usage_of_processes(ended.pid, dear_above=0) == Usage()


TREE = """
import subprocess, threading, time
def start():
    subprocess.Popen(["sh", "-c", "sleep 600 & sleep 600"])
    print("started", flush=True)
    time.sleep(600)
threading.Thread(target=start, daemon=True).start()
time.sleep(600)
"""


@pytest.mark.parametrize("listed", [True, False], ids=["Linux tells children", "all processes are looked through"])
def test_all_processes_below_one_are_found_whichever_thread_started_them(listed: bool, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(usage, "KERNEL_LISTS_CHILDREN", listed and usage.KERNEL_LISTS_CHILDREN)
    with subprocess.Popen([sys.executable, "-c", TREE], stdout=subprocess.PIPE, text=True) as outer:
        assert outer.stdout is not None and outer.stdout.readline() == "started\n"
        while len(found := usage.processes_of(outer.pid)) < 4:
            assert outer.poll() is None
        parents = {process.pid: process.ppid() for process in found}
        for process in reversed(found):
            process.kill()
    assert len(found) == 4 and all(parents[process.pid] in parents for process in found[1:])
    assert found[0].pid == outer.pid and usage.processes_of(outer.pid) == []


@pytest.mark.skipif(MACHINE not in ARCHITECTURES, reason="there is no filter for this architecture")
def test_dangerous_system_calls_are_refused(kernel: Kernel):
    numbers = refused_numbers(MACHINE)
    source = f"""
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
print([(libc.syscall(number, 0, 0, 0, 0, 0, 0), ctypes.get_errno()) for number in {numbers}])
"""
    assert ast.literal_eval(kernel.execute(source, 300).stdout) == [(-1, errno.EPERM)] * len(numbers)


@pytest.mark.skipif(MACHINE != "x86_64", reason="only x86-64 has a second set of numbers")
def test_the_second_set_of_system_calls_is_refused(kernel: Kernel):
    # Its getpid: without the filter the answer is a number, or "no such call".
    source = (
        f"import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\nprint(libc.syscall({X32 + 39}), ctypes.get_errno())"
    )
    assert kernel.execute(source, 300).stdout.split() == ["-1", str(errno.EPERM)]


@pytest.mark.skipif(MACHINE not in ARCHITECTURES, reason="there is no filter for this architecture")
def test_only_sockets_that_a_namespace_holds_can_be_made(kernel: Kernel):
    source = """
import socket
made = []
for family in range(1, 46):
    try:
        socket.socket(family, socket.SOCK_DGRAM if family != 16 else socket.SOCK_RAW).close()
        made.append(family)
    except PermissionError:
        pass
    except OSError:
        made.append(-family)
print(made)
"""
    made = ast.literal_eval(kernel.execute(source, 300).stdout)
    assert {abs(family) for family in made} == {1, 2, 10, 16}


def test_honest_use_of_processes_and_shared_memory_is_not_refused(kernel: Kernel):
    assert kernel.execute(HONEST, 120).stdout.split("\n")[:4] == ["[0, 1, 4, 9]", "8.0", "42", "hello"]


NO_GROUP = find_parent() is None
WHY = "no control group with limits can be made here"


@pytest.fixture
def group() -> Iterator[ControlGroup]:
    """A real group below that of this process, with or without limits."""
    for parent in own_groups():
        with contextlib.suppress(OSError):
            group = ControlGroup(Path(tempfile.mkdtemp(prefix="test-of-syncpoint-", dir=parent)))
            break
    else:
        pytest.skip("no control group can be made here")
    yield group
    if group.folder.exists():
        group.remove()


def test_a_process_is_in_its_group_before_it_becomes_the_program(group: ControlGroup):
    ran = subprocess.run(group.command(["cat", "/proc/self/cgroup"]), capture_output=True, text=True)
    assert f"/{group.folder.name}\n" in ran.stdout


def test_the_end_of_a_group_is_the_end_of_its_daemons(group: ControlGroup):
    with subprocess.Popen(
        group.command(["setsid", "sh", "-c", "sleep 600 & echo $!; exit"]), stdout=subprocess.PIPE, text=True
    ) as parent:
        daemon = psutil.Process(int(parent.stdout.readline()))
    group.remove()
    assert (psutil.wait_procs([daemon], timeout=20)[1], group.folder.exists()) == ([], False)


def test_looking_for_a_group_leaves_none_behind():
    find_parent.cache_clear()
    find_parent()
    ours = f"{PREFIX}{os.getpid()}-*"
    assert [path for parent in own_groups() for path in parent.glob(ours)] == []


def test_what_linux_counts_is_read(tmp_path: Path):
    # Not a control group, but files as one has: most machines let no test make one with limits.
    files = {
        "memory.current": "5000\n",
        "memory.stat": "anon 1000\nfile 3000\nshmem 400\n",
        "memory.events": "low 0\nmax 7\noom 1\noom_kill 3\n",
        "pids.current": "12\n",
        "pids.events": "max 4\n",
        "cpu.stat": "usage_usec 2500000\nuser_usec 2000000\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    group = ControlGroup(tmp_path)
    assert (group.usage(), group.exhausted) == (Usage(2400, 12, 2.5), "memory")


@pytest.mark.parametrize("there", [True, False])
def test_a_new_group_is_limited_and_comes_after_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool):
    # Files as a group has them, as above; Linux does not have the last two everywhere.
    may_have = {"memory.swap.max": "0", "cpu.weight": str(WEIGHT)} if there else {}
    for name in may_have:
        (tmp_path / name).touch()
    monkeypatch.setattr(tempfile, "mkdtemp", lambda **_: str(tmp_path))
    ControlGroup.make(tmp_path, 5000, 12)
    written = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert written == {"memory.max": "5000", "memory.oom.group": "1", "pids.max": "12", **may_have}
    assert WEIGHT < 100  # what a group has that nobody set up


def unwatched(kernel: Kernel) -> Kernel:
    """A kernel whose watcher finds nothing too much."""
    watcher = kernel._resources
    watcher._bounds = {name: bound._replace(most=math.inf) for name, bound in watcher._bounds.items()}
    return kernel


def test_what_is_not_watched_takes_more_than_it_may(start: Start):
    kernel = unwatched(start(cpu_seconds=0.1))
    kernel.execute("import time\nend = time.process_time() + 1\nwhile time.process_time() < end: pass", 300)
    assert (kernel.fault, kernel.usage().cpu_seconds > 0.9) == (None, True)


def test_linux_refuses_a_process_at_the_same_number_with_a_group_and_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """So the judge, who looks in between, is the one who ends it and says why, on both kinds of machine."""

    class Made(Exception):
        pass

    def make(parent: Path, memory: int, threads: int) -> ControlGroup:
        raise Made(threads)

    monkeypatch.setattr(sandbox, "find_parent", lambda: tmp_path)
    monkeypatch.setattr(ControlGroup, "make", make)
    spec = SandboxSpec(ENGINE)
    with pytest.raises(Made) as made:
        sandbox.Sandbox(spec)
    assert made.value.args[0] == spec.resource_limits()["RLIMIT_NPROC"] > spec.limits.threads


@pytest.mark.skipif(NO_GROUP, reason=WHY)
def test_linux_itself_ends_a_sandbox_that_takes_too_much_memory(start: Start):
    kernel = unwatched(start(memory_mib=1024))
    with pytest.raises(DeadKernelError) as gone:
        kernel.execute(HOGS, 300)
    assert str(gone.value.fault.message) == "the kernel ran out of memory (limit 1024 MiB)"


@pytest.mark.skipif(NO_GROUP, reason=WHY)
def test_linux_itself_refuses_a_process_too_many(start: Start):
    kernel = unwatched(start(processes=60))
    # The kernel itself may need a thread just then, and crash.
    try:
        stopped_by = kernel.execute(FORK, 300).content["ename"]
    except DeadKernelError as gone:
        stopped_by = gone.fault.kind
    assert stopped_by in ("processes", "BlockingIOError")


@pytest.mark.skipif(NO_GROUP, reason=WHY)
def test_the_group_of_a_sandbox_ends_with_it():
    with Kernel(SandboxSpec(ENGINE)) as kernel:
        folder = kernel._server._group.folder
        populated = "populated 1" in (folder / "cgroup.events").read_text()
        weight = folder / "cpu.weight"  # missing where the processors are not shared out by groups
        assert not weight.exists() or int(weight.read_text()) == WEIGHT
    close_all()
    assert (populated, folder.exists()) == (True, False)
