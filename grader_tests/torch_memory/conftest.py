"""The fixture that the graders of this assignment share: a scenario of the probe, and the device's report on it."""

import pytest
from usage import Usage


@pytest.fixture(scope="module")
def run(student):
    """``run(scenario, **parameters)``: what it reports, with everything held until the host waits for it.

    ``held=False`` holds nothing: no more than 1,000 operations can be held, and memory is counted either way.  Under
    "usage" stands what the device says of the call: a :class:`Usage`.
    """

    def observe(scenario, held=True, **parameters):
        found = (student.results_gated if held else student).observe(scenario, **parameters)
        peak = sum(device.peak for device in found["memory"].values())  # another device is no way out
        return {**found, "usage": Usage(found["events"], tuple(found["pending"]), peak)}

    return observe
