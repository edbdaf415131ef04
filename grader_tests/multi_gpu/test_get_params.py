"""get_params(params, ctx): fresh copies of the parameters on one device, with zero gradients."""

import numpy as np
import pytest

from syncpoint.graders import (
    Device,
    EngineArray,
    array,
    core,
    hint,
    kind_of,
    message,
    misconception,
    mixed,
    saw,
    value,
    weight,
)

MOVES = [(0, 1), (1, 2), (2, 2), (1, 0)]  # from one device to the other; the third stays where it is

WORDS = {"originals": message("an original"), "other": message("another copy")}


@pytest.fixture
def values(rng):
    """Parameters of several ranks, one of them large; two have the same shape."""
    width, height = rng.integers(2, 5, size=2)
    shapes = [(width, height), (height,), (3, 1, 2, 2), (width, height), (1, 1), (40, 30)]
    return [rng.normal(size=shape) for shape in shapes]


def replica(student, values, source, target):
    """What get_params makes of these values."""
    seen = student.call("get_params", [array(value, device=source) for value in values], Device(target))
    check_list(seen.returned, values)
    return seen.returned


def check_list(arrays, values):
    """Fail unless these are NDArrays, in a list, one for each of the parameters."""
    with saw("What should be a list of {count} arrays is {kind}.", count=len(values), kind=kind_of(arrays)):
        assert isinstance(arrays, (list, tuple)) and len(arrays) == len(values), arrays
    others = [held for held in arrays if not isinstance(held, EngineArray)]
    with saw(
        "Elements of the list that are not MXNet arrays: {others} of {total}.", others=len(others), total=len(arrays)
    ):
        assert not others, arrays


@value
@hint("The result is a list with one array for each parameter, in the same order, with the same values.")
@misconception("reads-the-task")
def test_values(student, values):
    """get_params returns a list of copies with the values of the parameters."""
    for number, (source, target) in enumerate(MOVES):
        many = [value + number for value in 3 * values]
        many[number][..., 0] = np.inf
        for copied, right in zip(replica(student, many, source, target), many, strict=True):
            np.testing.assert_allclose(copied, right, rtol=1e-5, atol=1e-6)


@value
@hint("Print the dtype of a parameter and of its copy. Which type do nd.array and nd.zeros choose if you name none?")
@misconception("numpy-and-the-engine")
def test_type(student, values):
    """A copy has the type of its parameter, and so has its gradient."""
    types = [np.dtype(name) for name in ("float32", "float64", "float32", "float16", "float64", "float64")]
    for source, target in MOVES:
        originals = [array(value, source, dtype=dtype) for value, dtype in zip(values, types, strict=True)]
        copies = student.call("get_params", originals, Device(target)).returned
        check_list(copies, values)
        pairs = list(zip(copies, types, strict=True))
        others = [copied for copied, dtype in pairs if copied.values.dtype != dtype]
        with saw(
            "Copies of another type than their parameter: {others} of {total}.", others=len(others), total=len(copies)
        ):
            assert not others, copies
        with saw("The values of a copy lost digits on their way."):
            for (copied, dtype), value in zip(pairs, values, strict=True):
                np.testing.assert_array_equal(copied, value.astype(dtype))
        with saw("A gradient has another type than its copy."):
            assert all(copied.gradient is None or copied.gradient.dtype == dtype for copied, dtype in pairs)


@core
@weight(3)
@hint("Each copy must be on the device that was passed to get_params. Is the result of a copy thrown away somewhere?")
@misconception("as-in-context")
def test_device(student, values):
    """The copies are on the given device."""
    for source, target in MOVES:
        elsewhere = [copied for copied in replica(student, values, source, target) if copied.device != target]
        with saw("Copies on another device: {elsewhere} of {total}.", elsewhere=len(elsewhere), total=len(values)):
            assert not elsewhere


@core
@weight(3)
@hint("Each of the new arrays needs attach_grad of its own, after it was copied to its device.")
@misconception("as-in-context")
def test_gradients(student, values):
    """Every copy has a gradient attached, and it is zero."""
    for source, target in MOVES:
        originals = [array(value, device=source, gradient=7.0) for value in values]
        copies = student.call("get_params", originals, Device(target)).returned
        check_list(copies, values)
        without = [copied for copied in copies if copied.gradient is None]
        with saw("Copies without a gradient: {without} of {total}.", without=len(without), total=len(copies)):
            assert not without
        for copied in copies:
            with saw("The gradient of a copy is not zero, or has another shape."):
                assert copied.gradient.shape == copied.values.shape and not copied.gradient.any(), copied.gradient


@weight(3)
@hint(
    "A second backward pass must put its gradients in the place of the old ones. What do the arguments of attach_grad "
    "ask for?"
)
@misconception("every-call-starts-anew")
def test_gradients_are_replaced(student, values, rng):
    """Each backward pass replaces the gradients of the previous one."""
    factors = [float(factor) for factor in rng.permutation(range(2, 9))[:2]]
    for source, target in MOVES:
        seen = student.observe(
            "two_backward_passes",
            params=[array(value, device=source) for value in values],
            ctx=Device(target),
            factors=factors,
        )
        gradients = seen["gradients"]
        with saw("After two backward passes, some copies have no gradient."):
            assert gradients is not None and len(gradients) == len(values), gradients
        for number, (gradient, right) in enumerate(zip(gradients, values, strict=True)):
            with saw("After the second backward pass, the gradients are not those of that pass alone."):
                np.testing.assert_allclose(gradient, np.full(right.shape, factors[-1] + number), rtol=1e-6)


@core
@weight(3)
@hint(
    "What do as_in_context and a slice give you when the parameter already is on that device? A copy must be new, and "
    "so must its gradient."
)
@misconception("as-in-context")
def test_fresh(student, values):
    """Changing a copy changes neither the original nor another copy, wherever the original was."""
    for source, target in MOVES:
        seen = student.observe(
            "overwrite_a_replica",
            params=[
                array(value, device=source, dtype=dtype)
                for value, dtype in zip(values, 3 * (np.float32, np.float64), strict=True)
            ],
            ctx=Device(target),
        )
        check_list(seen["overwritten"], values)
        with saw("The copies could not be written to."):
            assert all((np.asarray(held) == 1e6).all() for held in seen["overwritten"]), seen
        for name in WORDS:
            check_list(seen[name], values)
            for held, right in zip(seen[name], values, strict=True):
                with saw("Writing into a copy changed {what}.", what=WORDS[name]):
                    np.testing.assert_allclose(held, right, rtol=1e-5, atol=1e-6)
                with saw("Writing into the gradient of a copy changed that of {what}.", what=WORDS[name]):
                    assert held.gradient is None or (held.gradient != 1e6).all()


@weight(2)
@hint("The parameters that you were given must stay as they are: their values, their gradients and the list itself.")
@misconception("names-and-arrays")
def test_originals_untouched(student, values):
    """get_params leaves the original parameters as they were."""
    for source, target in MOVES:
        # Some have a gradient, which must stay; the others have none, and must not get one.
        gradients = [None, 7.0, None, -3.0, None, 5.0]
        originals = [array(value, source, gradient=gradient) for value, gradient in zip(values, gradients, strict=True)]
        seen = student.call("get_params", originals, Device(target))
        check_list(seen.returned, values)
        for after in (seen.inputs, seen.arguments[0]):
            check_list(after, originals)
            for now, before in zip(after, originals, strict=True):
                with saw("The values of an original changed, or its device."):
                    np.testing.assert_array_equal(now, before)
                    assert now.device == source
                with saw("The gradient of an original changed."):
                    assert (now.gradient is None) == (before.gradient is None)
                    if before.gradient is not None:
                        np.testing.assert_array_equal(now.gradient, before.gradient)


@hint("An operation takes a parameter of one device and an array of another one. Copy it there first.")
@misconception("devices-mix")
def test_no_mixing(student, values):
    """No operation of get_params mixes arrays of two devices."""
    for source, target in MOVES:
        seen = student.call("get_params", [array(value, device=source) for value in values], Device(target))
        with saw("get_params returned nothing."):
            assert seen.returned is not None
        with saw(mixed(seen.mixing)):
            assert not seen.mixing, seen.mixing
