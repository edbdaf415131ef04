"""Fixtures of the probe's tests on the engine `torch`."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from syncpoint.judge.kernel import Kernel
from syncpoint.sandbox.spec import SandboxSpec


@pytest.fixture(scope="module")
def gpu_kernel(torch_engine: Path) -> Iterator[Kernel]:
    """A sandboxed kernel with its device."""
    with Kernel(SandboxSpec(torch_engine)) as running:
        yield running
