"""Every test begins and ends with an open, empty device."""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import gc
from collections.abc import Iterator

import pytest
import torch
from device import judge, wait_everywhere

torch.set_num_threads(1)


@pytest.fixture(autouse=True)
def _an_open_device() -> Iterator[None]:
    yield
    judge.release()
    torch.get_device_module("simgpu").set_device(0)
    torch.get_device_module("simgpu").set_sync_debug_mode(0)
    gc.collect()
    try:
        wait_everywhere()
    except RuntimeError:  # a late error that the test caused
        wait_everywhere()
