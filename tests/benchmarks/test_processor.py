"""The processor time of one submission: what counts, and for what."""

import time

import pytest
from benchmarks import processor
from classroom import SmallCourse

from syncpoint.course.errors import CommandFailed
from syncpoint.course.folder import Course
from syncpoint.judge.job import NotebookJob
from syncpoint.sandbox.pool import close_all


def burn(seconds: float) -> None:
    """Use the processor."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_a_phase_has_what_was_used_since_the_phase_before():
    clock = processor.Clock()
    burn(0.2)
    clock.note("one")
    clock.note("other")
    assert 0.2 <= clock.seconds["one", "judge"] < 1 and clock.seconds["other", "judge"] < 0.1


def test_samples_are_counted_where_the_innermost_file_is_known():
    with processor.sampled() as samples:
        burn(0.2)
    assert samples[""] and samples["log"] == samples["graders"] == 0


def test_a_submission_has_a_kernel_and_no_device_unless_its_engine_has_one(released: SmallCourse):
    course = Course(released.root)
    spec = course.spec("async")
    clock, told = processor.judge(spec, processor.jobs_of(course, "async", spec, "pass", "print('last')"), course)
    close_all()
    assert told == ["last\n"] and min(clock.seconds[key, "kernel"] for key in ("start", "cells", "tests")) > 0
    assert not any(seconds for (_, whose), seconds in clock.seconds.items() if whose == "device")


def test_the_time_of_a_wrong_verdict_is_no_figure(released: SmallCourse):
    course = Course(released.root)
    spec = course.spec("async")
    empty = [NotebookJob(job.notebook, tuple(c for c in job.cells if not c.solution), job.notes, job.files)
             for job in processor.jobs_of(course, "async", spec)]  # fmt: skip
    with pytest.raises(CommandFailed, match="did not pass"):
        processor.judge(spec, empty, course)
    close_all()
