"""Replicas of the parameters on several devices."""

import numpy as np
from lenet import SHAPES

from syncpoint.graders import EngineArray, kind_of, saw


def check_replicas(replicas, devices, right, tolerance):
    """Fail unless each of the devices has a right replica.  devices: their numbers, in the order of the replicas."""
    with saw("The replicas are {kind}; devices: {count}.", kind=kind_of(replicas), count=len(devices)):
        assert isinstance(replicas, (list, tuple)) and len(replicas) == len(devices)
    for place, (device, replica) in enumerate(zip(devices, replicas, strict=True), start=1):
        with saw("Replica {place} of {total} is {kind}.", place=place, total=len(devices), kind=kind_of(replica)):
            assert isinstance(replica, (list, tuple)) and len(replica) == len(right)
        for param, values in zip(replica, right, strict=True):
            with saw(
                "In replica {place} of {total} there is {kind}.", place=place, total=len(devices), kind=kind_of(param)
            ):
                assert isinstance(param, EngineArray)
            with saw("Replica {place} of {total} is not on its own device any more.", place=place, total=len(devices)):
                assert param.device == device
            with saw(
                "Parameters of replica {place} have wrong values; devices: {count}.", place=place, count=len(devices)
            ):
                assert param.values.shape == np.shape(values)
                np.testing.assert_allclose(param, values, rtol=tolerance, atol=tolerance)


def first_replica(replicas):
    """The values of the first replica; fail unless it is one."""
    assert isinstance(replicas, (list, tuple)) and replicas and isinstance(replicas[0], (list, tuple))
    assert all(isinstance(param, EngineArray) for param in replicas[0])
    values = [np.asarray(param) for param in replicas[0]]
    assert [param.shape for param in values] == SHAPES
    return values
