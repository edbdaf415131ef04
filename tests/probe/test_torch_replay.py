"""A student's call that the device runs again on other inputs: its results, and when there are none."""

import numpy as np
import pytest
from toy_gpu import student

from syncpoint.graders import EngineArray, array
from syncpoint.graders.device_log import DeviceLog
from syncpoint.judge.kernel import Kernel
from syncpoint.judge.student import ProbeError
from syncpoint.observe.observation import ForStudent, Observation
from syncpoint.observe.replayed_values import HostValues
from syncpoint.observe.student import ReplayedCall

RNG = np.random.default_rng()


def drawn(*shape: int) -> np.ndarray:
    return RNG.normal(size=shape).astype("float32")


OLD, NEW = drawn(4), drawn(4)


@pytest.mark.parametrize(
    ("value", "right"),
    [
        (OLD, NEW),
        (OLD[::-1].reshape(2, 2), NEW[::-1].reshape(2, 2)),
        ([float(OLD[2]), (float(OLD[0]),)], [float(NEW[2]), (float(NEW[0]),)]),
        (float(OLD.astype(float).sum()), float(NEW.astype(float).sum())),
        (float(np.linalg.norm(OLD)), float(np.linalg.norm(NEW))),
        ({"n": 3, "loss": 0.123}, {"n": 3, "loss": None}),
        (np.append(OLD, 0.123), None),
    ],
    ids=["whole", "parts", "nested", "sum", "norm", "number of Python's", "array of Python's"],
)
def test_what_stands_for_numbers_of_the_host(value: object, right: object):
    host_values = HostValues([(OLD, NEW)])
    found = host_values.value(value)
    if isinstance(right, (np.ndarray, float)):
        np.testing.assert_allclose(found, right, rtol=1e-5)
    else:
        assert found == right
    assert host_values.missing == (right is None or "None" in repr(right))


def test_a_number_with_two_counterparts_stands_for_nothing():
    assert HostValues([(np.array([5.5, 5.5, 7.5]), np.array([1.5, 2.5, 3.5]))]).value([5.5, 7.5]) == [None, 3.5]


def test_a_check_that_fails_says_that_the_call_ran_once_more():
    def check(seen: str) -> None:
        failed = AssertionError()
        failed.__notes__ = ["kept"]
        raise failed

    with pytest.raises(AssertionError) as failed:
        ReplayedCall("seen").check(check)
    stored, output = failed.value.__notes__
    assert stored == "kept" and isinstance(output, ForStudent) and output.startswith("The operations of your call")
    ReplayedCall(None).check(check)

    def wrong() -> None:
        raise AssertionError

    ReplayedCall("seen").confirm(wrong, check)


def values(seen: Observation) -> np.ndarray:
    assert isinstance(seen.returned, EngineArray)
    return np.asarray(seen.returned.values)


def test_work_on_the_device_is_right_for_other_inputs_and_a_constant_is_not(gpu_kernel: Kernel):
    x, other = drawn(3, 3), drawn(3, 3)
    for source, right in (("x @ x", other @ other), (f"x * 0 + {float(x[0, 0])!r}", x[0, 0] + 0 * x)):
        solved = student(gpu_kernel, f"def f(x): return {source}")
        seen = solved.results_gated.call("f", array(x, device=1))
        again = solved.replay(seen, {1: other}).seen
        np.testing.assert_allclose(values(again), right, rtol=1e-4, atol=1e-4)
        np.testing.assert_allclose(again.inputs[0].values, other)
        np.testing.assert_allclose(seen.inputs[0].values, x)


def test_what_the_host_got_and_what_it_returns(gpu_kernel: Kernel):
    solved = student(gpu_kernel, "def f(x, h): return (x + h.to(x.device)).tolist(), len(h)")
    x, h, other, other_h = (drawn(3) for _ in range(4))
    seen = solved.call("f", array(x, device=1), array(h))
    again = solved.replay(seen, {1: other}, host=[(h, other_h)]).seen
    np.testing.assert_allclose(again.returned[0], other + other_h, rtol=1e-5)
    assert again.returned[1] == 3


def test_values_that_python_has_computed_are_unknown(gpu_kernel: Kernel):
    solved = student(gpu_kernel, "def f(x): return float(x[0]) * float(x[1]) + 1\ndef g(x): return x[x > 0].sum()")
    x = np.array([1.5, 2.5, -3.5], "float32")
    assert solved.replay(solved.call("f", array(x, device=1)), {1: drawn(3)}).seen is None
    assert solved.replay(solved.call("g", array(x, device=1)), {1: -x}).seen is None
    assert solved.replay(solved.call("g", array(x, device=1)), {1: 2 * x}).seen is not None


def test_what_goes_through_an_operation(gpu_kernel: Kernel):
    solved = student(gpu_kernel, "def f(x): y = torch.tanh(x); return torch.stack([y, x * 1])")
    x, other = drawn(3), drawn(3)
    seen = solved.results_gated.call("f", array(x, device=1))
    tanh = [one for one in DeviceLog.of(seen).operations if one.label == "tanh"]
    again = solved.replay(seen, {1: other}, through=tanh)
    np.testing.assert_allclose(values(again.seen), np.stack([np.tanh(other), x]), rtol=1e-5)
    assert again.through == ("tanh",)


def test_only_the_last_call_runs_once_more(gpu_kernel: Kernel):
    solved = student(gpu_kernel, "def f(x): return x + 1")
    first, _ = (solved.call("f", array(drawn(2), device=1)) for _ in range(2))
    with pytest.raises(ProbeError, match="only the last call"):
        solved.replay(first, {1: drawn(2)})
