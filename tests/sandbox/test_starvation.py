"""Who runs out of time because others had the processors is judged again alone; who slept, or stood in their own way,
is not.

Who comes first is set from outside, by the nice value of a kernel's session: no test hangs on how busy the machine is.
"""

import contextlib
import fcntl
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
import psutil
import pytest
from busy import busy_sessions
from classroom import ENGINE, ROOT, SmallCourse
from nbformat.v4 import new_code_cell, new_notebook
from toy_gpu import ENDS

from syncpoint.core.messages import Message
from syncpoint.course.folder import Course
from syncpoint.judge.errors import DeadKernelError
from syncpoint.judge.grade_notebook import grade_notebook
from syncpoint.judge.job import GradingSpec, NotebookJob
from syncpoint.judge.kernel import Kernel
from syncpoint.judge.notebook_run import NotebookRun
from syncpoint.sandbox import judging_lock
from syncpoint.sandbox.cgroup import find_parent
from syncpoint.sandbox.cpu_share import TICKS, CpuShare, Meter, Turn, busy_seconds
from syncpoint.sandbox.judging_lock import JudgingLock
from syncpoint.sandbox.sandbox import Sandbox
from syncpoint.sandbox.spec import Limits, SandboxSpec

pytestmark = pytest.mark.exhaustive

LOOP = "while True: pass"
OWN_THREADS = """
import hashlib, threading
def busy(): hashlib.pbkdf2_hmac("sha256", b"", b"", 10**9)  # Python's lock is free meanwhile
for _ in range(100): threading.Thread(target=busy, daemon=True).start()
busy()
"""
OWN_PROCESSES = """
import subprocess
subprocess.Popen(["sh", "-c", "for i in $(seq 100); do (while :; do :; done) & done"])
while True: pass
"""
SLEEP = "import time\ntime.sleep(600)"
WORK = "for _ in range(2 * 10**7): pass\ndef double(x):\n    return x * 2"  # a second of a processor
AUTOGROUPS = Path("/proc/sys/kernel/sched_autogroup_enabled")
SHARED_OUT = find_parent() is not None or (AUTOGROUPS.exists() and AUTOGROUPS.read_text().strip() == "1")


@pytest.mark.parametrize(
    ("share", "starved"),
    [
        (CpuShare(passed=30, ran=30, waited=0, others=30, could=60), False),  # a loop beside a neighbor
        (CpuShare(passed=30, ran=0, waited=0, others=60, could=60), False),  # asleep on a machine that is far too busy
        (CpuShare(passed=30, ran=15, waited=15, others=45, could=60), True),  # one of three on two processors
        (CpuShare(passed=30, ran=21, waited=9, others=39, could=60), False),  # less than a third was lost
        (CpuShare(passed=30, ran=60, waited=2940, others=0.1, could=60), False),  # a hundred threads of its own
        (
            CpuShare(passed=30, ran=30, waited=1470, others=0.1, could=60),
            False,
        ),  # fifty on the one processor they chose
        (CpuShare(passed=30, ran=1, waited=2990, others=59, could=60), True),  # a hundred, and others have the machine
        (CpuShare(passed=30, ran=1900, waited=1000, others=20, could=1920), False),  # a hundred on many processors
        (CpuShare(passed=30, ran=0, waited=30, others=60, could=60), True),  # never had a turn
    ],
)
def test_whoever_lost_a_third_of_their_time_to_others_was_starved(share: CpuShare, starved: bool):
    assert share.starved(30) is starved


def test_what_the_host_of_a_virtual_machine_took_was_taken_by_others(tmp_path: Path):
    """Made up: no test can have a host take a processor away."""
    stat = tmp_path / "stat"
    stat.write_text("cpu  10 20 30 4000 500 60 70 800 0 0\ncpu0 1 2 3\n")
    assert busy_seconds(stat) * TICKS == 10 + 20 + 30 + 60 + 70 + 800


def test_a_wait_that_goes_on_is_counted_and_not_counted_again_when_it_is_over():
    meter = Meter(lambda: ({7: Turn(1.0, 2.0, 5, True)}, 0.0))
    readings = [
        (Turn(1.0, 2.0, 5, True), 3.0),  # it has had no turn in the three seconds
        (Turn(1.0, 2.0, 5, True), 4.0),
        (Turn(1.5, 9.5, 6, True), 1.0),  # it had one, after 7.5 s
        (Turn(2.5, 9.5, 6, True), 1.0),  # and kept it
        (Turn(2.5, 9.5, 6, False), 5.0),  # asleep
    ]
    waited = []
    for turn, seconds in readings:
        waited.append(meter._waited_since({7: turn}, seconds))
        meter._turns = {7: turn}
    assert waited == [3.0, 4.0, 0.5, 0.0, 0.0]


def test_busy_processes_end_with_their_parent():
    program = "import sys; from busy import busy_sessions\nwith busy_sessions(2): print(flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, cwd=ROOT / "tests/helpers", stdin=subprocess.PIPE, stdout=subprocess.PIPE) as parent:
        parent.stdout.readline()
        busy = psutil.Process(parent.pid).children()
        parent.kill()
    assert len(busy) == 2
    assert psutil.wait_procs(busy, timeout=60)[1] == []


def set_nice(process: psutil.Process, nice: int) -> None:
    """Put a kernel, with its session, behind or before everything else on this machine.  Raises PermissionError."""
    group = Path(f"/proc/{process.pid}/autogroup")
    with contextlib.suppress(FileNotFoundError):
        group.write_text(str(nice))
    for thread in process.threads():
        os.setpriority(os.PRIO_PROCESS, thread.id, nice)


def last(process: psutil.Process) -> None:
    set_nice(process, 19)


def first(process: psutil.Process) -> None:
    with contextlib.suppress(PermissionError):  # only root may: then the machine must be idle
        set_nice(process, -20)


@pytest.fixture
def prompt() -> Iterator[None]:
    """The judge before all but the kernels that stand first: else it has hardly a turn to end what they run."""
    group = Path("/proc/self/autogroup")
    line = group.read_text() if group.exists() else ""  # empty where the session has none
    nice = line.split()[-1] if line.strip() else ""
    if nice:
        group.write_text("-12")
    yield
    if nice:
        group.write_text(nice)


@pytest.fixture
def busy() -> Iterator[Callable[[], None]]:
    """Twice as many busy processes as there are processors, each in a session of its own; gives what ends them."""
    with busy_sessions(2 * (os.cpu_count() or 1)) as end:
        yield end


@pytest.fixture
def treat(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Have something done to each kernel as soon as it is there: to the first one, to the second, ..."""
    note = Sandbox.note_kernel

    def prepare(*treatments: Callable[[psutil.Process], None]) -> None:
        todo = iter(treatments)

        def noted(server: Sandbox) -> psutil.Process | None:
            process = note(server)
            assert process is not None
            next(todo)(process)
            return process

        monkeypatch.setattr(Sandbox, "note_kernel", noted)

    return prepare


def _run(source: str) -> NotebookRun:
    """A notebook with this one cell, after its 6 seconds."""
    limits = Limits(cell_seconds=6, processes=300)
    with NotebookRun(new_notebook(cells=[new_code_cell(source)]), SandboxSpec(ENGINE, limits=limits)) as run:
        run.advance_to(1)
    assert "did not finish within 6 s" in str(run.incidents[0].message)
    return run


@pytest.mark.skipif(os.getuid() != 0, reason="only root may put a kernel before everything else")
@pytest.mark.parametrize(
    "source", [SLEEP, LOOP, OWN_THREADS, OWN_PROCESSES], ids=["asleep", "loop", "threads", "forks"]
)
def test_a_cell_that_used_up_its_time_itself_was_not_starved(source: str, treat: Callable[..., None], prompt: None):
    treat(first)
    run = _run(source)
    assert (run.kernel.was_starved, run.incidents[0].message.code == "provisional") == (False, False)


@pytest.mark.parametrize("source", [LOOP, OWN_THREADS], ids=["loop", "threads"])
def test_a_cell_whose_time_others_had_was_starved(source: str, treat: Callable[..., None], busy: Callable[[], None]):
    treat(last)
    run = _run(source)
    assert (run.kernel.was_starved, run.incidents[0].message.code == "provisional") == (True, True)


def test_a_cell_that_is_starved_when_it_runs_again_is_reported_and_the_run_does_not_count(
    torch_engine: Path, treat: Callable[..., None]
):
    """In its first kernel it comes before everybody, in the second, after the device was lost, behind."""
    with contextlib.ExitStack() as stack:

        def behind(process: psutil.Process) -> None:
            stack.enter_context(busy_sessions(2 * (os.cpu_count() or 1)))
            last(process)

        treat(first, first, first, behind)  # device and kernel, twice
        cells = [new_code_cell(source) for source in (WORK, ENDS, "double(2)")]
        limits = Limits(cell_seconds=6)
        with NotebookRun(new_notebook(cells=cells), SandboxSpec(torch_engine, limits=limits)) as run:
            run.advance_to(3)
    cut_off, again = (incident.message for incident in run.incidents[:2])
    codes = (cut_off.code, again.code, again.parameters["message"].code)
    assert (codes, run.lost) == (("device_cut_off", "ran_again", "provisional"), "was_starved")


@pytest.mark.skipif(not SHARED_OUT, reason="nothing on this machine shares out the processors by sandbox or session")
def test_256_busy_processes_of_one_notebook_leave_another_its_share():
    flood = "import subprocess\nsubprocess.Popen(['sh', '-c', 'for i in $(seq 256); do (while :; do :; done) & done'])"
    sandbox_spec = SandboxSpec(ENGINE, limits=Limits(processes=300))
    with Kernel(sandbox_spec) as neighbor, Kernel(sandbox_spec) as victim:
        neighbor.execute(flood, 120)
        while len(neighbor._server.processes) < 250:
            neighbor._raise_if_dead()
        before = neighbor.meter.read(age=0), victim.meter.read(age=0)
        victim.execute(LOOP, 6)
        theirs, own = neighbor.meter.read(age=0) - before[0], victim.meter.read(age=0) - before[1]
    # The loop fills one processor, they fill all; 256 times as much is what nobody would have limited.
    assert theirs.ran < 10 * (os.cpu_count() or 1) * own.ran


@pytest.mark.skipif(find_parent() is not None, reason="a control group shares out the processors, whatever is in it")
def test_a_notebook_cannot_take_many_shares():
    storm = "import subprocess\nsubprocess.run(['sh', '-c', 'for i in $(seq 100); do setsid sleep 600 & done; wait'])"
    with Kernel(SandboxSpec(ENGINE)) as kernel, pytest.raises(DeadKernelError) as gone:
        kernel.execute(storm, 120)
    assert str(gone.value.fault.message) == "the code started too many process sessions (`setsid`; limit 16)"


def test_a_notebook_cannot_take_back_its_place():
    source = """
import os, resource
def tried(act, *arguments):
    try: act(*arguments)
    except (PermissionError, ValueError): return True
print(os.nice(0) >= 10, tried(os.nice, -1), tried(os.setpriority, os.PRIO_PROCESS, 0, 0),
      tried(os.sched_setscheduler, 0, os.SCHED_RR, os.sched_param(1)),
      tried(resource.setrlimit, resource.RLIMIT_NICE, (40, 40)))
"""
    with Kernel(SandboxSpec(ENGINE)) as kernel:
        assert kernel.execute(source, 120).stdout.split() == ["True"] * 5


@pytest.fixture
def jobs(course: SmallCourse) -> tuple[GradingSpec, NotebookJob]:
    """A right submission of which one cell takes a second of a processor, and has ten of the clock."""
    course.configure("c.GradeSubmission.cell_seconds = 10\nc.GradeSubmission.notebook_seconds = 60\n")
    spec = Course(course.root).spec("async")
    notebook = nbformat.reads(json.dumps(course.solved(double=WORK)), as_version=4)
    return spec, NotebookJob.of("work", notebook, [], (), spec)


def test_a_starved_notebook_is_judged_again_alone_and_gets_its_points(
    jobs: tuple[GradingSpec, NotebookJob], treat: Callable[..., None], busy: Callable[[], None]
):
    def idle(process: psutil.Process) -> None:
        assert _is_locked("kernels.entry") and _is_locked("kernels.judging")
        busy()
        first(process)

    treat(last, idle)
    result = grade_notebook(*jobs, ROOT)
    points = [exercise.points for exercise in result.notebook_result.exercises]
    assert (points, result.cacheable, result.warnings) == ([4, 2], True, (Message("was_starved"),))


def test_what_is_starved_alone_as_well_counts_for_now_and_says_so(
    jobs: tuple[GradingSpec, NotebookJob], treat: Callable[..., None], busy: Callable[[], None]
):
    treat(last, last)
    result = grade_notebook(*jobs, ROOT)
    assert (result.cacheable, result.warnings) == (False, (Message("was_starved"), Message("was_starved_again")))
    assert any(incident.message.code == "provisional" for incident in result.notebook_result.incidents)


def _is_locked(name: str) -> bool:
    with (judging_lock._folder() / name).open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


@pytest.fixture
def own_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other judges on this machine are not among those of the test."""
    monkeypatch.setattr(judging_lock, "temporary_folder", lambda: tmp_path)


def test_who_is_alone_waits_for_the_others_and_new_ones_wait_for_them(own_locks: None):
    order: list[str] = []

    def judge(name: str, turn: Callable[[], contextlib.AbstractContextManager[None]]) -> threading.Thread:
        def run() -> None:
            with turn():
                order.append(name)

        thread = threading.Thread(target=run)
        thread.start()
        return thread

    ours = JudgingLock("test", 600)
    with ours.shared(), ours.shared():
        exclusive = judge("alone", ours.exclusive)
        while not _is_locked("test.entry"):
            pass
        late = judge("late", ours.shared)
        order.append("early")
    exclusive.join()
    late.join()
    assert order == ["early", "alone", "late"]


def test_who_is_alone_under_one_name_is_beside_those_under_another(own_locks: None):
    with JudgingLock("test", 600).exclusive(), JudgingLock("other", 600).exclusive():
        pass


def test_a_judge_that_was_stopped_does_not_stop_the_others_for_ever(own_locks: None):
    with JudgingLock("test", 600).exclusive(), JudgingLock("test", 0.1).shared(), JudgingLock("test", 0.1).exclusive():
        pass


def test_a_disk_without_locks_blocks_nobody(tmp_path: Path, own_locks: None):
    (tmp_path / f"syncpoint-{os.getuid()}").symlink_to("/")
    with JudgingLock("test", 600).exclusive(), JudgingLock("test", 600).exclusive():
        pass
