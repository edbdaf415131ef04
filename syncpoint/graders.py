"""What a grader module imports: ``from syncpoint.graders import array, hint, weight``."""

from typing import Any

import numpy as np
import pytest

from .judge.observation import Event, Observation
from .probe.wire import Device, EngineArray, Opaque

__all__ = ["Device", "EngineArray", "Event", "Observation", "Opaque", "array", "hint", "weight"]


def array(values: Any, device: int = 0, gated: bool = False, gradient: Any = None, dtype: Any = None) -> EngineArray:
    """An argument that becomes an engine array on device number ``device``; float32 where numpy has float64.

    A ``gated`` array stays pending until the student's code waits for something that needs it.  ``gradient``: values,
    of the same shape, of the gradient buffer it gets.  ``dtype``: the one it gets, if not the one of ``values``.
    """
    values = np.asarray(values)
    dtype = dtype or (np.float32 if values.dtype == np.float64 else values.dtype)
    values = values.astype(dtype)
    if gradient is not None:
        gradient = np.broadcast_to(np.asarray(gradient, dtype=dtype), values.shape)
    return EngineArray(values, device, gated, gradient)


def hint(text: str) -> pytest.MarkDecorator:
    """What the student reads when the test fails: which way to look, without inputs or expected values."""
    return pytest.mark.hint(text)


def weight(value: float) -> pytest.MarkDecorator:
    """How much the test counts among the tests of its exercise (default 1)."""
    return pytest.mark.weight(value)
