"""What graders of this assignment check in the values that a student's function returned."""

import numpy as np

from syncpoint.graders import EngineArray, joined, kind_of, message, saw
from syncpoint.graders.device_log import DeviceLog


def kind(value):
    """The kind of a value in the student's words; a tensor on the host is another kind than one on the device."""
    if isinstance(value, EngineArray) and value.device == 0:
        return message("a tensor in host memory")
    return kind_of(value)


def is_on_device(value):
    """Whether this is a tensor on the device."""
    return isinstance(value, EngineArray) and value.device == 1


def check_on_device(name, value):
    """Fail unless the function of this name returned a tensor on the device."""
    with saw("{name} returned {kind}.", name=name, kind=kind(value)):
        assert is_on_device(value)


def check_made(name, log, value):
    """Fail unless an operation of the function of this name has written the tensor on the device that it returned."""
    check_on_device(name, value)
    with saw("No operation of {name} computes y.", name=name):
        assert log.writers(value.number)


def check_two(name, value):
    """Fail unless the function of this name returned two tensors on the device."""
    with saw("{name} returned {kind}.", name=name, kind=kind(value)):
        assert isinstance(value, (tuple, list)) and len(value) == 2
    with saw("{name} returned {kinds}.", name=name, kinds=joined(map(kind, value))):
        assert all(map(is_on_device, value))


def check_input_stays(name, seen, x):
    """Fail unless the matrix that the function of this name was called with holds the same numbers all the time."""
    with saw("{name} changed x.", name=name):
        check_values(seen.inputs[0], x)
        assert not DeviceLog.of(seen).writers(1)


def like(x):
    """Other values of the same shape; to be drawn when a call has returned."""
    return np.random.default_rng().normal(size=x.shape).astype(x.dtype)


def check_close(numbers, right):
    """Fail unless these are the right numbers; how far they may be off is measured by the largest one."""
    close = 1e-9 if right.dtype == np.float64 else 1e-3
    np.testing.assert_allclose(numbers, right, rtol=close, atol=close * np.abs(right).max())


def check_values(value, right):
    """Fail unless a tensor holds these values."""
    check_close(value.values, right)
