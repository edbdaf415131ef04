"""`syncpoint watch --scheduler`: workers of a Dask cluster judge, one process writes, and what dies loses nothing."""

import contextlib
import json
import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from classroom import BIN, PATIENT, QUEUE_WORK, ROOT, SmallCourse, environment
from exchange import EARLIER, hand_in, inbound, with_exchange
from graded_class import GIVE_UP_SECONDS, cluster
from sqlalchemy import select

from syncpoint.check.status import note_name
from syncpoint.course.folder import Course
from syncpoint.grading.cluster import cluster_at
from syncpoint.records.gradebook import open_gradebook
from syncpoint.records.tables import MarkChange, QueueEntry

pytestmark = [pytest.mark.slow, pytest.mark.sandbox, pytest.mark.engine]
STOP = "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)\n"
CLASS = tuple(f"s{number}" for number in range(4))


@pytest.fixture
def course(released: SmallCourse, tmp_path: Path) -> SmallCourse:
    """The small course with an exchange, in which nobody's work is stopped for its time."""
    return exchanging(released, tmp_path)


def exchanging(released: SmallCourse, place: Path) -> SmallCourse:
    place.mkdir(exist_ok=True)
    course = with_exchange(released.copy(place / "course"), place / "exchange")
    course.configure(f"c.ExchangeCollect.check_owner = False\n{PATIENT}")
    return course


def hand_in_all(course: SmallCourse, held: str = "") -> None:
    """Each student hands in other code; the kernel of ``held`` stops until somebody resumes it."""
    for number, student in enumerate(CLASS):
        stop = STOP if student == held else ""
        hand_in(course, student, EARLIER, course.solved(queue_work=f"{stop}{QUEUE_WORK}  # {number}"))


@contextlib.contextmanager
def watching(course: SmallCourse, address: str) -> Iterator[subprocess.Popen[str]]:
    """`syncpoint watch --once` on a cluster."""
    command = [str(BIN / "syncpoint"), "watch", "--once", "--scheduler", address]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=course.root, env=environment(), text=True, **pipes) as process:
        try:
            yield process
        finally:
            process.kill()


def held(program: subprocess.Popen[Any]) -> psutil.Process:
    """Wait until a kernel below a worker has stopped itself."""
    while program.poll() is None:
        with contextlib.suppress(psutil.NoSuchProcess):
            for process in psutil.Process(program.pid).children(recursive=True):
                if process.status() == psutil.STATUS_STOPPED:
                    return process
    raise AssertionError("the worker ended, and no kernel was held")


def check_once(course: SmallCourse, students: tuple[str, ...] = CLASS) -> None:
    """Everybody has one score, which was written once, and one page."""
    assert course.scores() == dict.fromkeys(students, (4.0, 2.0))
    with open_gradebook(Course(course.root)) as gradebook:
        rows = gradebook.db.scalars(select(QueueEntry)).all()
        assert sorted((row.student, row.state, row.shown) for row in rows) == [
            (student, "released", "all") for student in sorted(students)
        ]
        assert not gradebook.db.scalars(select(MarkChange)).all()  # a first score is no change
    assert len(list((inbound(course).parent / "feedback").glob("*.html"))) == len(students)


def test_a_killed_worker_loses_nothing(course: SmallCourse, tmp_path: Path):
    hand_in_all(course, held=CLASS[1])
    with cluster(1, folder=tmp_path) as (address, (_, first)), watching(course, address) as watch:
        held(first)
        first.kill()
        worker = [str(BIN / "dask"), "worker", address, "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
        second = subprocess.Popen(worker, env=environment(SYNCPOINT_ENGINES=str(ROOT)), **quiet)
        try:
            held(second).resume()
            output, errors = watch.communicate(timeout=GIVE_UP_SECONDS)
        finally:
            second.kill()
            second.wait()
    assert watch.returncode == 0, errors
    assert Counter(line for line in output.splitlines() if "feedback released" in line) == Counter(
        f"async: feedback released to {student}." for student in CLASS
    )
    check_once(course)


def test_a_killed_scheduler_is_one_sentence_and_the_next_one_goes_on(course: SmallCourse, tmp_path: Path):
    hand_in_all(course, held=CLASS[1])
    (tmp_path / "one").mkdir()
    with cluster(1, folder=tmp_path / "one") as (address, (scheduler, worker)), watching(course, address) as watch:
        held(worker)
        scheduler.kill()
        _, errors = watch.communicate(timeout=GIVE_UP_SECONDS)
    assert watch.returncode == 1 and "Traceback" not in errors, errors
    assert any(line.startswith("syncpoint: The scheduler has stopped") for line in errors.splitlines())
    secret = f"the secret of {CLASS[1]}, {EARLIER}"
    note = json.loads((inbound(course).parent / "feedback" / note_name(secret, "async")).read_text())
    assert [sentence["code"] for sentence in note["said"]] == ["status_mended"]

    (tmp_path / "two").mkdir()
    with cluster(1, folder=tmp_path / "two") as (address, (_, worker)), watching(course, address) as watch:
        held(worker).resume()
        _, errors = watch.communicate(timeout=GIVE_UP_SECONDS)
    assert watch.returncode == 0, errors
    check_once(course)


def test_no_scheduler_is_one_sentence(course: SmallCourse):
    hand_in(course, "ada", EARLIER, course.solved())
    with watching(course, "tcp://127.0.0.1:1") as watch:
        _, errors = watch.communicate(timeout=GIVE_UP_SECONDS)
    assert watch.returncode == 1 and "No scheduler responds at tcp://127.0.0.1:1" in errors
    assert "Traceback" not in errors


@pytest.mark.exhaustive
def test_two_courses_share_a_cluster(released: SmallCourse, tmp_path: Path):
    courses = [exchanging(released, tmp_path / name) for name in ("one", "other")]
    for course in courses:
        hand_in_all(course)
    with cluster(2, folder=tmp_path) as (address, _), contextlib.ExitStack() as stack:
        for watch in [stack.enter_context(watching(course, address)) for course in courses]:
            _, errors = watch.communicate(timeout=GIVE_UP_SECONDS)
            assert watch.returncode == 0, errors
    for course in courses:
        check_once(course)


NAMESPACES = os.getuid() == 0 and shutil.which("ip")


@contextlib.contextmanager
def two_machines() -> Iterator[tuple[str, list[list[str]]]]:
    """Two network namespaces behind a bridge: this machine's address there, and what starts a command in each."""
    names = [f"spt{os.getpid() % 10000}{letter}" for letter in "ab"]
    bridge = f"spb{os.getpid() % 10000}"

    def ip(*words: str) -> None:
        subprocess.run(["ip", *words], check=True, capture_output=True, text=True)

    with contextlib.ExitStack() as stack:
        ip("link", "add", bridge, "type", "bridge")
        stack.callback(ip, "link", "del", bridge)
        ip("addr", "add", "10.213.7.1/24", "dev", bridge)
        ip("link", "set", bridge, "up")
        for number, name in enumerate(names, 2):
            ip("netns", "add", name)
            stack.callback(ip, "netns", "del", name)
            ip("link", "add", f"{name}v", "type", "veth", "peer", "name", "eth0", "netns", name)
            ip("link", "set", f"{name}v", "master", bridge, "up")
            ip("-n", name, "addr", "add", f"10.213.7.{number}/24", "dev", "eth0")
            ip("-n", name, "link", "set", "eth0", "up")
            ip("-n", name, "link", "set", "lo", "up")
        yield "10.213.7.1", [["ip", "netns", "exec", name] for name in names]


@pytest.mark.exhaustive
@pytest.mark.skipif(not NAMESPACES, reason="only root may make network namespaces, with `ip`")
def test_workers_on_two_machines_judge(course: SmallCourse, tmp_path: Path):
    hand_in_all(course)
    with two_machines() as (host, inside), contextlib.ExitStack() as stack:

        def executed(dask_worker: Any) -> int:
            return int(dask_worker.state.executed_count)

        file = tmp_path / "scheduler.json"
        scheduler = ["scheduler", "--host", host, "--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
        quiet = {"cwd": tmp_path, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}

        def start(*command: str) -> subprocess.Popen[bytes]:
            program = subprocess.Popen(command, env=environment(SYNCPOINT_ENGINES=str(ROOT)), **quiet)
            stack.callback(program.wait)
            stack.callback(program.kill)
            return program

        first = start(str(BIN / "dask"), *scheduler)
        while not file.exists() or not file.read_text():
            assert first.poll() is None
        address = json.loads(file.read_text())["address"]
        for machine in inside:
            start(*machine, str(BIN / "dask"), "worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny")
        with cluster_at(address) as client:
            client.wait_for_workers(2, timeout=GIVE_UP_SECONDS)
            hosts = {worker["host"] for worker in client.scheduler_info(n_workers=-1)["workers"].values()}
            with watching(course, address) as watch:
                _, errors = watch.communicate(timeout=GIVE_UP_SECONDS)
            judged = client.run(executed)
    assert watch.returncode == 0, errors
    assert hosts == {"10.213.7.2", "10.213.7.3"} and len(judged) == 2 and all(judged.values())
    check_once(course)
