"""The API for grader modules: ``from syncpoint.graders import array, hint, misconception, saw, weight``.

For logs, graders of several assignments use ``syncpoint.graders.device_log`` and ``syncpoint.graders.epochs``.
Whether lists and dicts that students were given stay as they are: ``syncpoint.graders.unchanged``.
For the right result of a training, they use ``syncpoint.graders.reference``.
"""

import pytest

from ..core.messages import Message, message
from ..observe.errors import StudentError
from ..observe.observation import Observation
from ..observe.student import ReplayedCall
from ..observe.vocabulary import array, first_wait, is_number, joined, kind_of, mixed, named, race, saw
from ..probe.serialization import Device, EngineArray, Opaque
from ..probe.trace import Event

__all__ = [
    "Device",
    "EngineArray",
    "Event",
    "Message",
    "Observation",
    "Opaque",
    "ReplayedCall",
    "StudentError",
    "array",
    "core",
    "first_wait",
    "hint",
    "is_number",
    "joined",
    "kind_of",
    "message",
    "misconception",
    "mixed",
    "named",
    "race",
    "saw",
    "value",
    "weight",
]

# Before the import, so that their failed asserts show values like those of graders.
pytest.register_assert_rewrite(f"{__name__}.epochs", f"{__name__}.unchanged")

#: Mark of a test of the property that the exercise is named after. Half of the points depend on all of these tests; the
#: other half is shared among all tests by weight.
core = pytest.mark.core

#: Mark of a test of a value that the exercise computes. A wrong value costs at least a quarter of the points, any other
#: failed test at least a tenth.
value = pytest.mark.value


def hint(text: str) -> pytest.MarkDecorator:
    """Set the hint that the student sees when the test fails, without inputs or expected values."""
    return pytest.mark.hint(text)


def weight(value: float) -> pytest.MarkDecorator:
    """Set how much the test counts among the tests of its exercise (default 1)."""
    return pytest.mark.weight(value)


def misconception(slug: str) -> pytest.MarkDecorator:
    """Name the section of docs/students/misconceptions.md that students read if they fail the test."""
    return pytest.mark.misconception(slug)
