"""What a grader module imports: ``from syncpoint.graders import array, hint, weight``."""

from typing import Any

import numpy as np
import pytest

from .judge.observation import Event, Observation
from .probe.wire import EngineArray, Opaque

__all__ = ["EngineArray", "Event", "Observation", "Opaque", "array", "hint", "weight"]


def array(values: Any, device: int = 0, gated: bool = False) -> EngineArray:
    """An argument that becomes an engine array on device number ``device``; float32 unless numpy says otherwise.

    A ``gated`` array stays pending until the student's code waits for something that needs it.
    """
    values = np.asarray(values)
    if values.dtype == np.float64:
        values = values.astype(np.float32)
    return EngineArray(values, device, gated)


def hint(text: str) -> pytest.MarkDecorator:
    """What the student reads when the test fails: which way to look, without inputs or expected values."""
    return pytest.mark.hint(text)


def weight(value: float) -> pytest.MarkDecorator:
    """How much the test counts among the tests of its exercise (default 1)."""
    return pytest.mark.weight(value)
