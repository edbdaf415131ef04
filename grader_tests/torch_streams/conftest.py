"""The fixture that the graders of this assignment share: a scenario of the probe, and the order in its log."""

import numpy as np
import pytest
from order import MANY, TIMES, Order

from syncpoint.graders import EngineArray, ReplayedCall, array

SIDE = 64  # rows and columns of the matrices where memory is counted


@pytest.fixture(scope="module")
def run(student):
    """``run(scenario, **parameters)``: what it reports, with everything held until the host waits for it.

    host: lists of arrays, by name, which student code gets in the host's memory.  Arrays to look at come after all
    others.  Under "order" stands the log as an :class:`Order`; under "again" what the same call gives for other arrays,
    which stand under "others" by their names; again=False for a call of whose values nobody asks.
    """
    rng = np.random.default_rng()

    def other(value):
        """Other numbers of the same shape and type, as often as there are arrays."""
        if isinstance(value, list):
            return [other(one) for one in value]
        values = np.asarray(value)
        return rng.normal(size=values.shape).astype(values.dtype)

    def observe(scenario, host=None, again=True, **parameters):
        host = host or {}
        found = student.results_gated.observe(scenario, **parameters)
        there = [name for name, value in parameters.items() if _computes(value)]
        others = {name: other(value) for name, value in (parameters | host).items() if name in host or name in there}
        values = dict(enumerate((one for name in there for one in _flat(others[name])), 1))
        pairs = [pair for name in host for pair in zip(host[name], others[name], strict=True)]
        found |= {
            "again": student.replay(found, values, host=pairs) if values and again else ReplayedCall(None),
            "others": others,
        }
        reads, later = (list(map(_number, found.get(key) or ())) for key in ("results", "later"))
        return {**found, "order": Order(found["events"], tuple(found["pending"]), _names(parameters), reads, later)}

    return observe


def _flat(value):
    return value if isinstance(value, list) else [value]


def _computes(value):
    """Whether this is an array on the device, or a list of them, and not one to look at."""
    return bool(_flat(value)) and all(isinstance(one, EngineArray) and not one.look for one in _flat(value))


def _number(value):
    return value.number if isinstance(value, EngineArray) else None


def _names(parameters):
    """The names of the arrays on the device, in the order in which they get their numbers: x, or x0, x1 of xs."""
    names = []
    for name, value in parameters.items():
        if _computes(value):
            names += [f"{name[:-1]}{place}" for place in range(len(value))] if isinstance(value, list) else [name]
    return names


@pytest.fixture(scope="module")
def left_behind(student):
    """``left_behind(name)``: the order of some calls of this function, and how many matrices they have left behind."""
    found = {}

    def counted(name):
        if name not in found:
            xs = [array(np.random.default_rng().normal(size=(SIDE, SIDE)), device=1) for _ in range(2)]
            seen = student.results_gated.observe("left_behind", function=name, xs=xs, many=MANY, times=TIMES)
            made = sum(device.made for device in seen["memory"].values())
            found[name] = Order(seen["events"], tuple(seen["pending"])), made / (4 * SIDE**2)
        return found[name]

    return counted
