"""wait_for_one, wait_for_all, wait_for_first, as_list, as_number and which_wait: what waits for what."""

import random
from functools import partial

import numpy as np
import pytest
from tensors import check_close, check_input_stays, check_made, check_on_device, check_two, check_values, like

from syncpoint.graders import EngineArray, array, core, hint, is_number, kind_of, misconception, saw, value, weight
from syncpoint.graders.device_log import NEVER, DeviceLog
from syncpoint.graders.unchanged import check_containers_stay

X, Z = 1, 2  # the numbers of the arrays that a scenario gets
# Sizes and types of matrices; the size 0 stands for a drawn one.
BESIDE = (5, "float32"), (120, "float64")
ONE, FEW, LARGE = (1, "float32"), (0, "float64"), (40, "float32")
SMALL = 1e-3  # numbers: a product of such is lost if somebody rounds it
# The lines of the exercise, and whether the host waits; tests/probe/test_torch_async_table.py runs each.
LINES = {
    "y.shape": False,
    "y + 1": False,
    "y.sum()": False,
    "y.reshape(-1)": False,
    "torch.where(y > 0, y, 0)": False,
    "y.to('cpu', non_blocking=True)": False,
    "gpu.Event().record()": False,
    "gpu.Stream().wait_stream(gpu.current_stream())": False,
    "gpu.current_stream().query()": False,
    "y.sum().item()": True,
    "y.cpu()": True,
    "y.tolist()": True,
    "print(y)": True,
    "if y.sum() > 0: pass": True,
    "y.nonzero()": True,
    "y[y > 0]": True,
    "gpu.synchronize()": True,
    "torch.ones(3).to(device)": True,
    "torch.ones(3).pin_memory().to(device, non_blocking=True)": False,
}


def drawn(size, dtype, scale=1.0):
    """A matrix of numbers of this size."""
    rng = np.random.default_rng()
    size = size or rng.integers(3, 7)
    return rng.normal(scale=scale, size=(size, size)).astype(dtype)


def on_device(x):
    """The argument that is such a matrix."""
    return array(x, device=1, dtype=x.dtype)


@pytest.fixture(scope="module")
def beside(student):
    """``beside(name)``: calls of this function while work is pending on another stream, which are made once.

    One with a small matrix, and one with a large one of another type.
    """
    calls = {}

    def call(name, x):
        arrays = {"x": on_device(x), "z": on_device(drawn(*FEW))}
        seen = student.results_gated.observe("beside_others", function=name, arguments=[], **arrays)
        log, other = DeviceLog.of(seen), like(x)
        return log, log.readers(Z), seen["returned"], x, (student.replay(seen, {X: other}), other)

    def run(name):
        calls[name] = calls.get(name) or [call(name, drawn(size, dtype)) for size, dtype in BESIDE]
        return calls[name]

    return run


@pytest.fixture(scope="module")
def check_calls_in_a_row(student):
    """``check_calls_in_a_row(name)`` calls a function with two matrices of one size that are not computed yet.

    It fails if something does not wait for a matrix, or if a call writes into what an earlier one has returned.
    """

    def check(name):
        xs = [on_device(drawn(4, "float32")) for _ in range(2)]
        seen = student.results_gated.observe("read_behind", function=name, xs=xs, arguments=[])
        log, (first, second) = DeviceLog.of(seen), map(_numbers, seen["returned"])
        with saw(
            "Operations of the caller that use the same memory as the work and may run too early: {count}.",
            count=len(log.races),
        ):
            assert not log.races
        with saw("{name} returned the same tensor in several calls.", name=name):
            assert not first & second

    return check


def _numbers(returned):
    """The numbers in the log of the tensor that a function returned, or of several."""
    parts = returned if isinstance(returned, (tuple, list)) else [returned]
    return {one.number for one in parts if isinstance(one, EngineArray)}


def check_products(seen, x):
    """Fail unless the tensor that a scenario reports, or each of them, is the product."""
    returned = seen["returned"]
    for answer in returned if isinstance(returned, (tuple, list)) else [returned]:
        check_values(answer, x @ x)


def check_made_by_the_device(returned, x, again):
    """Fail if the returned value is right, but was not computed by the device in this call."""
    again[0].confirm(partial(check_products, {"returned": returned}, x), check_products, again[1])


def check_is_computed(name, log, y):
    """Fail unless a tensor on the device was computed when the function returned."""
    check_made(name, log, y)
    with saw("y was still in the queue when {name} returned.", log.events, missing_wait=True, name=name):
        assert log.is_done(y.number)


def check_returned(seen, *right):
    """Fail unless a call returned a tensor with these values, or one for each of them."""
    for answer, one in zip([seen.returned] if len(right) == 1 else seen.returned, right, strict=True):
        check_values(answer, one)


@value
@hint("wait_for_one returns the tensor x @ x itself.")
@misconception("reads-the-task")
def test_wait_for_one_value(student, check_calls_in_a_row):
    """wait_for_one returns the product."""
    check_calls_in_a_row("wait_for_one")
    for x in (drawn(*ONE), drawn(*FEW), drawn(*LARGE)):
        seen = student.call("wait_for_one", on_device(x))
        check_on_device("wait_for_one", seen.returned)
        check_returned(seen, x @ x)
        check_input_stays("wait_for_one", seen, x)
        other = like(x)
        student.replay(seen, {X: other}).check(check_returned, other @ other)


@core
@weight(2)
@hint("wait_for_one must wait for y, after y was enqueued. An event covers only what was on its stream before it.")
@misconception("place-in-a-stream")
def test_wait_for_one_is_computed(beside):
    """When wait_for_one returns, y is computed."""
    for log, _, returned, x, again in beside("wait_for_one"):
        check_is_computed("wait_for_one", log, returned)
        check_made_by_the_device(returned, x, again)


@core
@weight(2)
@hint("wait_for_one waits for more than it must. Which call waits for one stream, or for one place in it?")
@misconception("place-in-a-stream")
def test_wait_for_one_leaves_other_streams_alone(beside):
    """wait_for_one does not wait for other streams."""
    for log, others, returned, *_ in beside("wait_for_one"):
        check_made("wait_for_one", log, returned)
        with saw(
            "wait_for_one waited for work on another stream. The first wait: {first_wait}.",
            log.events,
            first_wait=log.first_wait,
        ):
            assert all(one.covered == NEVER for one in others)


@value
@hint("wait_for_all computes x @ x twice, and returns two tensors on the device.")
@misconception("reads-the-task")
def test_wait_for_all_values(beside, check_calls_in_a_row):
    """wait_for_all returns the product twice."""
    check_calls_in_a_row("wait_for_all")
    for log, _, returned, x, again in beside("wait_for_all"):
        check_two("wait_for_all", returned)
        check_products({"returned": returned}, x)
        again[0].check(check_products, again[1])
        first, second = (log.writers(value.number)[-1:] for value in returned)
        one, other = ({*log.computing(X, x.size)} & {*last, *log.ancestors(last)} for last in (first, second))
        with saw(
            "Operations that computed the two tensors from the whole of x: {count}. Each tensor needs an "
            "operation of its own.",
            count=len(one | other),
        ):
            assert one and other and len(one | other) > 1


@core
@weight(2)
@hint("Work may be pending on streams that you do not know. Which call waits for the whole device? It must come last.")
@misconception("place-in-a-stream")
def test_wait_for_all_leaves_nothing(beside):
    """When wait_for_all returns, nothing is left to do on any stream."""
    for log, _, returned, x, again in beside("wait_for_all"):
        check_two("wait_for_all", returned)
        pending = [one for one in log.operations if one.covered == NEVER]
        with saw(
            "Operations still in the queue when wait_for_all returned: {count}.",
            log.events,
            missing_wait=True,
            count=len(pending),
        ):
            assert not pending
        check_made_by_the_device(returned, x, again)


@value
@hint("wait_for_first returns y = x @ x and z = y @ x.")
@misconception("reads-the-task")
def test_wait_for_first_values(student, check_calls_in_a_row):
    """wait_for_first returns y and z."""
    check_calls_in_a_row("wait_for_first")
    for x in (drawn(*ONE), drawn(*FEW), drawn(*LARGE)):
        seen = student.call("wait_for_first", on_device(x))
        check_two("wait_for_first", seen.returned)
        check_returned(seen, x @ x, x @ x @ x)
        check_input_stays("wait_for_first", seen, x)
        other = like(x)
        student.replay(seen, {X: other}).check(check_returned, other @ other, other @ other @ other)


@core
@weight(2)
@hint(
    "Enqueue y, mark this place in the stream, enqueue z, and then wait for the mark. Calls of item and cpu also "
    "wait for everything that was enqueued before them. event.wait() makes a stream wait, and not the host."
)
@misconception("place-in-a-stream")
def test_wait_for_first_waits_for_y_alone(beside):
    """When wait_for_first returns, y is computed and z is not."""
    for log, _, returned, x, (again, other) in beside("wait_for_first"):
        check_two("wait_for_first", returned)
        y, z = returned
        check_is_computed("wait_for_first", log, y)
        last, made = log.writers(z.number)[-1:], log.writers(y.number)[-1]
        products = (one for one in log.readers(y.number) if X in one.inputs)  # also of a z that is not returned
        behind = [one for one in {*last, *log.ancestors(last), *products} if made in log.ancestors([one])]
        with saw("No operation of wait_for_first computes z."):
            assert last
        with saw(
            "wait_for_first also waited for z. The first wait: {first_wait}.", log.events, first_wait=log.first_wait
        ):
            assert not log.is_done(z.number) and all(one.covered == NEVER for one in behind)
        again.confirm(partial(check_first, {"returned": returned}, x), check_first, other)


def check_first(seen, x):
    """Fail unless a scenario reports y and z."""
    for answer, right in zip(seen["returned"], (x @ x, x @ x @ x), strict=True):
        check_values(answer, right)


def check_numbers(seen, right):
    """Fail unless a call returned these numbers."""
    check_close(seen.returned, right)


def check_on_the_device(name, again, x):
    """Fail if the function of this name had all of x copied to the host, which can do the rest then."""
    told = np.concatenate([np.zeros(0), *again.reported])
    with saw("{name} copied all of x to the host. The device should compute the product.", name=name):
        assert not np.isin(x.ravel(), told.astype(x.dtype)).all()


@value
@hint("tolist of a tensor gives lists of Python numbers.")
@misconception("reads-the-task")
def test_as_list(student):
    """as_list returns lists of numbers."""
    for x in (drawn(0, "float32", SMALL), drawn(*LARGE), drawn(*ONE)):
        seen = student.call("as_list", on_device(x))
        rows, other = seen.returned, like(x)
        with saw("as_list returned {kind}.", kind=kind_of(rows)):
            assert isinstance(rows, list) and len(rows) == len(x)
        with saw("A row of as_list is {kind}.", kind=kind_of(rows[0])):
            assert all(isinstance(row, list) and len(row) == len(x) for row in rows)
        with saw("An element of as_list is {kind}.", kind=kind_of(rows[0][0])):
            assert all(is_number(number) for row in rows for number in row)
        check_numbers(seen, x @ x)
        again = student.replay(seen, {X: other})
        again.check(check_numbers, other @ other)
        check_on_the_device("as_list", again, other)


@value
@hint("The norm is the root of the sum of the squares, as one number of Python.")
@misconception("reads-the-task")
def test_as_number(student):
    """as_number returns the norm."""
    few = drawn(*FEW)
    while np.linalg.norm(few @ few, 2) > 0.98 * np.linalg.norm(few @ few):  # another norm is another number
        few = drawn(*FEW)
    for x in (few, drawn(*LARGE), drawn(*ONE), drawn(*LARGE, SMALL)):
        seen = student.call("as_number", on_device(x))
        number, other = seen.returned, like(x)
        with saw("as_number returned {kind}.", kind=kind_of(number)):
            assert is_number(number)
        check_numbers(seen, np.linalg.norm(x @ x))
        again = student.replay(seen, {X: other})
        again.check(check_numbers, np.linalg.norm(other @ other))
        check_on_the_device("as_number", again, other)


@value
@weight(2)
@hint(
    "Find out by trying: gpu.set_sync_debug_mode('warn') reports hidden waits. A copy to the device "
    "waits unless its source is pinned and the copy does not block; an operation waits if the shape of "
    "its result depends on the values of a tensor."
)
@misconception("asks-for-a-number")
def test_which_wait(student):
    """which_wait returns the lines that wait."""
    # Every line is asked for, in two draws: a mistake must not hang on what was drawn.
    names = random.sample(list(LINES), len(LINES))
    for lines in (names[:10], names[10:]):
        answer = student.observe("chosen", function="which_wait", lines=lines)["returned"]
        with saw("which_wait returned {kind}.", kind=kind_of(answer)):
            assert isinstance(answer, (list, tuple)) and all(isinstance(line, str) for line in answer)
        right = {line for line in lines if LINES[line]}
        missing, more = len(right - set(answer)), len(set(answer) - right)
        with saw(
            "Of {count} lines, which_wait left out {missing} that wait, and named {more} that do not wait.",
            count=len(lines),
            missing=missing,
            more=more,
        ):
            assert set(answer) == right


@hint("A list or dict that you are given belongs to the caller: change a copy of it.")
@misconception("reads-the-task")
def test_list_stays(student):
    """which_wait leaves the list of lines as it is."""
    lines = random.sample(list(LINES), 10)
    seen = student.observe("chosen", function="which_wait", lines=lines)
    with saw("which_wait returned {kind}.", kind=kind_of(seen["returned"])):
        assert seen["returned"]
    check_containers_stay(seen["containers_changed"])
