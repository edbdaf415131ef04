"""The fixture that the graders of this assignment share: a scenario of the probe's, and the order in its log."""

import pytest
from order import Order

from syncpoint.graders import EngineArray


@pytest.fixture(scope="module")
def run(student):
    """``run(scenario, **parameters)``: what it reports, with everything held until the host waits for it.

    Under "order" stands the log as an :class:`Order`.
    """

    def observe(scenario, **parameters):
        found = student.results_gated.observe(scenario, **parameters)
        reads, later = (list(map(_number, found.get(key) or ())) for key in ("results", "later"))
        return {**found, "order": Order(found["events"], tuple(found["pending"]), _names(parameters), reads, later)}

    return observe


def _number(value):
    return value.number if isinstance(value, EngineArray) else None


def _names(parameters):
    """The names of the arrays on the device, in the order in which they get their numbers: x, or x0, x1 of xs."""
    names = []
    for name, value in parameters.items():
        if isinstance(value, EngineArray):
            names.append(name)
        elif isinstance(value, list) and value and isinstance(value[0], EngineArray):
            names += [f"{name[:-1]}{place}" for place in range(len(value))]
    return names
