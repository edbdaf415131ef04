"""Fixtures: a small real course, the same course with a whole class graded, and kernels in their sandbox."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from bad_class import submit_class
from classroom import ENGINE, SmallCourse

from syncpoint.judge.kernel import Kernel
from syncpoint.judge.student import Deadline, Student
from syncpoint.sandbox.world import Limits, World


@pytest.fixture(scope="session")
def released(tmp_path_factory: pytest.TempPathFactory) -> SmallCourse:
    """The small course with its release.  Read only: copy it to change it."""
    course = SmallCourse.make(tmp_path_factory.mktemp("released") / "course")
    done = course.nbgrader("generate_assignment", "async")
    assert done.returncode == 0, done.stderr
    return course


@pytest.fixture
def course(released: SmallCourse, tmp_path: Path) -> SmallCourse:
    """The small course with its release, for this test alone."""
    return released.copy(tmp_path / "course")


@pytest.fixture(scope="session")
def graded(released: SmallCourse, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A class with everything that can go wrong, after one autograde, generate_feedback and export.  Read only."""
    return submit_class(released.copy(tmp_path_factory.mktemp("graded") / "course"))


def world(**limits: Any) -> World:
    """The world of the real engine, with these limits."""
    return World(engine_prefix=ENGINE, limits=Limits(**limits))


@pytest.fixture
def start(request: pytest.FixtureRequest) -> Iterator[Callable[..., Kernel]]:
    """Start a sandboxed kernel with the given limits; it is stopped after the test."""
    running: list[Kernel] = []

    def start_kernel(**limits: Any) -> Kernel:
        running.append(Kernel(world(**limits)).__enter__())
        return running[-1]

    yield start_kernel
    for kernel in running:
        kernel.__exit__(None, None, None)


@pytest.fixture(scope="module")
def kernel() -> Iterator[Kernel]:
    """One kernel for the tests of a module that leave it as they found it."""
    with Kernel(world(cell_seconds=20, disk_mib=8)) as running:
        yield running


@pytest.fixture
def examinee(kernel: Kernel) -> Callable[..., Student]:
    """A student whose notebook holds the given source."""

    def write(source: str) -> Student:
        reply = kernel.execute(source, 20)
        assert reply.content.get("status") == "ok", reply.outputs
        return Student(kernel, Deadline(60))

    return write
