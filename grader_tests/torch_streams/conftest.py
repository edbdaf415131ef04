"""The fixture that the graders of this assignment share: a scenario of the probe's, and the order in its log."""

import numpy as np
import pytest
from order import Order

from syncpoint.graders import Again, EngineArray


@pytest.fixture(scope="module")
def run(student):
    """``run(scenario, **parameters)``: what it reports, with everything held until the host waits for it.

    Under "order" stands the log as an :class:`Order`; under "again" what the same call gives for other arrays, which
    stand under "others" by the parameters' names.
    """
    rng = np.random.default_rng()

    def other(value):
        """Other numbers of the same shape and type, as often as there are arrays."""
        if isinstance(value, list):
            return [other(one) for one in value]
        values = np.asarray(value)
        return rng.normal(size=values.shape).astype(values.dtype)

    def observe(scenario, **parameters):
        found = student.results_gated.observe(scenario, **parameters)
        arrays = {name: value for name, value in parameters.items() if _holds(value, (EngineArray, np.ndarray))}
        others = {name: other(value) for name, value in arrays.items()}
        there = [name for name, value in arrays.items() if _holds(value, EngineArray)]
        values = dict(enumerate((one for name in there for one in _flat(others[name])), 1))
        pairs = [pair for name in arrays if name not in there for pair in zip(arrays[name], others[name], strict=True)]
        found |= {"again": student.again(found, values, host=pairs) if values else Again(None), "others": others}
        reads, later = (list(map(_number, found.get(key) or ())) for key in ("results", "later"))
        return {**found, "order": Order(found["events"], tuple(found["pending"]), _names(parameters), reads, later)}

    return observe


def _flat(value):
    return value if isinstance(value, list) else [value]


def _holds(value, kinds):
    """Whether this is such an array, or a list of them."""
    return bool(_flat(value)) and all(isinstance(one, kinds) for one in _flat(value))


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
