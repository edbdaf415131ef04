"""The judging process: whatever happens to it, no other student loses anything."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from classroom import ROOT, SmallCourse, environment
from graded_class import GIVE_UP_SECONDS, running

from syncpoint.course.folder import Course
from syncpoint.grading.pool import JudgingThreads, judge
from syncpoint.judge import judging_process
from syncpoint.judge.errors import JudgeDied
from syncpoint.judge.job import JudgeReply, from_json, to_json
from syncpoint.judge.judging_process import JudgingProcess
from syncpoint.sandbox.judging_lock import JudgingLock
from syncpoint.sandbox.spec import SandboxSpec

# A grader whose judge needs more and more memory for one notebook, the one with this function in it.
HUNGRY = """
def test_it(student):
    if student.attempt("greedy").error is None:
        held = []
        while True:
            held.append(bytearray(2**24))
"""
GREEDY = "def double(x):\n    return 2 * x\n\ndef greedy():\n    return 1"
MIB = 400  # an empty judging process takes 70


@pytest.fixture
def process() -> Iterator[JudgingProcess]:
    """A judging process, not started yet."""
    started = JudgingProcess(ROOT)
    yield started
    started.end()


def test_what_is_no_kit_is_answered_and_the_process_stays(process: JudgingProcess):
    first, _ = process.start()
    answer = from_json(JudgeReply, process.judge(b"{}", b"{}", MIB))
    assert (answer.result, "this is no GradingSpec" in answer.fault) == (None, True)
    assert process.start()[0] is first


def test_a_sandbox_loads_the_engine_before_the_first_job_comes(process: JudgingProcess):
    spec = Course(ROOT).spec("async").sandbox_spec(ROOT)
    process.prepare(to_json(spec.empty))
    judging = psutil.Process(process.start()[0].pid)
    process.judge(b"{}", b"{}", MIB)  # an answer: what came before is done
    (sandbox,) = judging.children()
    assert f"{spec.engine_prefix}/lib" in sandbox.cmdline()
    process.end()
    assert not sandbox.is_running()


def test_what_cannot_be_got_ready_is_left_to_the_job(process: JudgingProcess):
    for sandbox in (b"{}", to_json(SandboxSpec(Path("/there/is/no/.venv-engine")))):
        process.prepare(sandbox)
    first, _ = process.start()
    assert "this is no GradingSpec" in from_json(JudgeReply, process.judge(b"{}", b"{}", MIB)).fault
    assert process.start()[0] is first


def test_a_killed_judging_process_is_replaced(process: JudgingProcess):
    first, _ = process.start()
    first.kill()
    first.wait()
    process.judge(b"{}", b"{}", MIB)
    assert process.start()[0].pid != first.pid


def test_one_that_is_killed_at_its_work_is_replaced_once(process: JudgingProcess):
    first, _ = process.start()
    first.send_signal(19)  # it never comes to read the job
    threading.Timer(1, first.kill).start()
    _, warning = process.judge_or_again(b"{}", b"{}", MIB)
    assert warning == "the process that judged it was ended by SIGKILL; it was judged once more, alone"


def test_a_process_over_its_bound_of_memory_is_ended_and_the_second_one_has_half(process: JudgingProcess):
    with pytest.raises(JudgeDied, match=r"needed more than 40 MiB of memory; .* with 20 MiB of memory, it needed"):
        process.judge_or_again(b"{}", b"{}", 40)


def test_the_end_of_its_owner_is_its_end(process: JudgingProcess):
    first, _ = process.start()
    process.end()
    assert first.poll() is not None
    with pytest.raises(JudgeDied, match="ended with the run"):
        process.judge(b"{}", b"{}", MIB)


class Noticed(JudgingLock):
    """A lock that says when somebody comes to wait for one."""

    came = threading.Event()

    def shared(self):
        self.came.set()
        return super().shared()


def test_a_worker_that_waits_for_its_turn_ends_with_the_run(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(judging_process, "LOCK", Noticed("test of the end", 600))
    threads = JudgingThreads(1, ROOT)
    with JudgingLock("test of the end", 600).exclusive():
        output = threads.submit(judge, b"{}", b"{}", MIB)
        assert Noticed.came.wait(GIVE_UP_SECONDS)
        end = threading.Thread(target=threads.shutdown, daemon=True)
        end.start()
        end.join(GIVE_UP_SECONDS)
        assert not end.is_alive()
        assert "ended with the run" in from_json(JudgeReply, output.result()[1]).fault


HOLDER = """
from pathlib import Path
from syncpoint.judge.judging_process import JudgingProcess
print(JudgingProcess(Path()).start()[0].pid, flush=True)
input()
"""


def test_a_judging_process_ends_with_an_owner_that_is_killed():
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER], env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        process = psutil.Process(int(holder.stdout.readline()))
        holder.kill()
        process.wait(GIVE_UP_SECONDS)


# --- in a class ---------------------------------------------------------------------------------------------


@pytest.fixture
def hungry(course: SmallCourse) -> SmallCourse:
    """A class in which the first student's notebook makes the judge need too much memory."""
    course.configure(f"c.GradeSubmission.judge_mib = {MIB}\nc.GradeSubmission.cell_seconds = 60\n")
    course.submit("ada", course.solved())
    course.submit("bob", course.solved())
    return course


def grade(course: SmallCourse, *options: str) -> tuple[int, str]:
    """`syncpoint grade`: its exit status, and what it says."""
    with running(course, "--workers", "1", *options) as run:
        run.end()
    return run.process.returncode, run.message


@pytest.mark.exhaustive
def test_a_notebook_that_kills_its_judge_stays_ungraded_and_is_taken_last(hungry: SmallCourse):
    grade(hungry)
    before = hungry.scores()
    grader = hungry.grader("test_double")
    grader.write_text(grader.read_text() + HUNGRY)
    hungry.submit("ada", hungry.solved(double=GREEDY))
    status, output = grade(hungry, "--force")
    assert status == 1
    assert f"the process that judged it needed more than {MIB} MiB of memory; judged once more, alone" in output
    assert f"with {MIB // 2} MiB of memory, it needed more than {MIB // 2} MiB" in output
    assert "Traceback" not in output
    # An earlier score stays, and nobody has a 0 of it; the other one is graded.
    assert before == {"ada": (4.0, 2.0), "bob": (4.0, 2.0)} == hungry.scores()
    (hungry.root / "autograded" / "bob").rename(hungry.root / "away")
    grader.write_text(grader.read_text().replace("while True", "while False"))
    status, output = grade(hungry)
    assert (status, hungry.scores()) == (0, before), output
    order = [line.split()[2] for line in output.splitlines() if line.startswith("grading async: ")]
    assert order.index("bob") < order.index("ada")
    assert not list((hungry.root / ".syncpoint" / "last").iterdir())
