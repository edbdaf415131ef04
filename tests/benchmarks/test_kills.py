"""The service that grades on submission, with `kill -9` of each of its parts in turn."""

import contextlib
from pathlib import Path

import pytest
from benchmarks import kills, postgresql
from classroom import ROOT

from syncpoint.course.folder import Course


@pytest.mark.exhaustive
def test_nothing_is_lost_and_nothing_is_there_twice(tmp_path: Path):
    with contextlib.ExitStack() as stack:
        server = None if postgresql.MISSING else stack.enter_context(postgresql.running(postgresql.DURABLE))
        killed = kills.play(Course(ROOT), 50, tmp_path, server)
    assert killed[:3] == ["workers", "scheduler", "writer"]
