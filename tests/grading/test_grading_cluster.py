"""`syncpoint grade` on a cluster that shares nothing with the coordinator but the scheduler's port."""

import contextlib
import os
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from classroom import BIN, ROOT, SmallCourse, environment
from graded_class import RUN, SCORES, cluster, grade, running, submit_all

from syncpoint.grading.pool import ENGINES

AS_ROOT = pytest.mark.skipif(os.getuid() != 0, reason="only root may hide a folder from one program")


def hiding(folder: Path) -> list[str]:
    """A command in front of another one, which then finds an empty folder in the place of this one."""
    return [
        "unshare",
        "--mount",
        "--propagation",
        "private",
        "sh",
        "-c",
        f'mount -t tmpfs none "{folder}" && exec "$@"',
        "-",
    ]


@AS_ROOT
@pytest.mark.slow
def test_workers_need_no_folder_of_the_course(course: SmallCourse, tmp_path: Path):
    submit_all(course)
    (course.folder("cleo") / "data.txt").write_text("mine")
    (tmp_path / "cluster").mkdir()
    with cluster(2, *hiding(course.root), folder=tmp_path / "cluster") as (address, _):
        became = grade(course, "--scheduler", address)
    assert became == {**dict.fromkeys(RUN, "graded"), "eve": "from the store"}
    assert course.scores() == SCORES


@pytest.mark.exhaustive
def test_a_machine_with_another_engine_judges_nothing(course: SmallCourse, tmp_path: Path):
    submit_all(course)
    other = tmp_path / "engines" / ".venv-mxnet" / "lib" / "python3.11" / "site-packages" / "mxnet-1.8.0.dist-info"
    other.mkdir(parents=True)
    with (
        cluster(1, folder=tmp_path, **{ENGINES: str(tmp_path / "engines")}) as (address, _),
        running(course, "--scheduler", address) as run,
    ):
        events = run.end()
    reasons = {event["student"]: event["reason"] for event in events if event["event"] == "ended"}
    assert run.process.returncode == 1
    assert all("is not the environment that the course has" in reasons[student] for student in RUN)
    assert not (course.root / "autograded" / "ada").exists()


@pytest.mark.exhaustive
def test_a_missing_scheduler_is_reported_in_one_sentence(course: SmallCourse):
    course.submit("ada", course.solved())
    done = course.run("syncpoint", "grade", "async", "--scheduler", "tcp://127.0.0.1:1")
    assert done.returncode == 1
    assert "No scheduler responds at tcp://127.0.0.1:1" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("address", ["junk", "http://127.0.0.1:8786", "tcp://127.0.0.1:x"])
def test_what_is_no_address_of_a_scheduler_is_said_in_a_sentence(course: SmallCourse, address: str):
    course.submit("ada", course.solved())
    done = course.run("syncpoint", "grade", "async", "--scheduler", address)
    assert done.returncode == 1
    assert f"{address!r} is not a scheduler address" in done.stderr
    assert "write it like tcp://host:8786" in done.stderr
    assert "Traceback" not in done.stderr


@contextlib.contextmanager
def one_more_worker(address: str, folder: Path, *options: str, engines: Path = ROOT) -> Iterator[None]:
    """Another worker of a cluster, once the scheduler knows it.  engines: where it looks for the engine."""
    worker = subprocess.Popen(
        [str(BIN / "dask"), "worker", address, "--host", "127.0.0.1", "--nthreads", "1", "--no-dashboard", *options],
        cwd=folder,
        env=environment(**{ENGINES: str(engines)}),
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert worker.stderr is not None
        assert any("Registered to" in line for line in worker.stderr)
        threading.Thread(target=worker.stderr.read, daemon=True).start()  # a full pipe would hold it
        yield
    finally:
        worker.kill()
        worker.wait()


@pytest.mark.exhaustive
def test_a_worker_that_is_a_daemon_judges(course: SmallCourse, tmp_path: Path):
    course.submit("ada", course.solved())
    with cluster(0, folder=tmp_path) as (address, _), one_more_worker(address, tmp_path, "--nanny"):
        assert grade(course, "--scheduler", address) == {"ada": "graded"}


@pytest.mark.exhaustive
@AS_ROOT
def test_a_worker_without_syncpoint_is_named_and_left_out(course: SmallCourse, tmp_path: Path):
    course.submit("ada", course.solved())
    with cluster(1, *hiding(ROOT / "syncpoint"), folder=tmp_path) as (address, _):
        with running(course, "--scheduler", address) as run:
            run.end()
        assert run.process.returncode == 1
        assert "has no Syncpoint: install the tools there (see" in run.message
        with one_more_worker(address, tmp_path, "--no-nanny"), running(course, "--scheduler", address) as run:
            run.end()
    assert run.process.returncode == 0, run.message
    assert "Continuing without one worker." in run.message


@AS_ROOT
@pytest.mark.exhaustive  # a minute without any worker
def test_a_worker_without_syncpoint_that_joins_late_is_spoken_of(course: SmallCourse, tmp_path: Path):
    course.submit("ada", course.solved())
    with cluster(0, folder=tmp_path) as (address, _), running(course, "--scheduler", address) as run:
        command = [*hiding(ROOT / "syncpoint"), BIN / "dask", "worker", address, "--host", "127.0.0.1", "--no-nanny"]
        with subprocess.Popen(command, cwd=tmp_path, env=environment(), stderr=subprocess.DEVNULL) as stranger:
            run.end()
            stranger.kill()
    assert run.process.returncode == 1
    assert "has no Syncpoint" in run.message


@pytest.mark.exhaustive
def test_what_waited_for_a_worker_that_has_gone_goes_to_the_next(course: SmallCourse, tmp_path: Path):
    submit_all(course)
    with (
        cluster(1, folder=tmp_path) as (address, (_, able)),
        one_more_worker(address, tmp_path, "--no-nanny", engines=tmp_path / "nowhere"),
        running(course, "--scheduler", address) as run,
    ):
        run.until_ended(2)  # eve's file, and one that was judged
        able.kill()
        with one_more_worker(address, tmp_path, "--no-nanny"):
            run.end()
    assert run.process.returncode == 0, run.message
    assert course.scores() == SCORES
