"""The fixture that the graders of this assignment share: a scenario of the probe's, and the order in its log."""

import pytest
from device_log import drawn
from order import Order


@pytest.fixture(scope="module")
def run(student):
    """``run(scenario, **parameters)``: what it reports, with everything held until the host waits for it.

    Under "order" stands the log as an :class:`Order`.
    """

    def observe(scenario, **parameters):
        (word,) = drawn(1)
        found = student.results_gated.observe(scenario, word=word, **parameters)
        return {**found, "order": Order(found["events"], tuple(found["pending"]), word)}

    return observe
