"""fsdp_counts(layers, wrapping, reshard, passes): the messages of PyTorch's fully_shard, predicted."""

import numpy as np
import pytest

from syncpoint.graders import core, hint, is_number, joined, kind_of, misconception, saw, value, weight
from syncpoint.graders.unchanged import check_containers_stay


def counts(layers, wrapping, reshard, passes):
    """What fully_shard sends; tests/probe/test_torch_memory_tables.py holds it against PyTorch's own run.

    layers: how many numbers the parameters of each layer hold.  wrapping: the layers that are units of their own.

    Returns: (all-gathers, reduce-scatters).
    """
    units = sum(layers[number] > 0 for number in wrapping)
    root = any(size > 0 for number, size in enumerate(layers) if number not in wrapping)
    return passes * (units * (2 if reshard else 1) + root), passes * (units + root)


@pytest.fixture(scope="module")
def pair(student):
    """``pair(*configuration)``: the answer of fsdp_counts, two whole numbers of any type."""

    def called(layers, wrapping, reshard, passes):
        answer = student.call("fsdp_counts", list(layers), list(wrapping), reshard, passes).returned
        with saw("fsdp_counts returned {kind}.", kind=kind_of(answer)):
            assert isinstance(answer, (tuple, list)) and len(answer) == 2
        with saw("fsdp_counts returned {kinds}.", kinds=joined(map(kind_of, answer))):
            assert all(is_number(count) and float(count).is_integer() for count in answer)
        return answer

    return called


@pytest.fixture(scope="module")
def ask(pair):
    """The same, as integers."""
    return lambda *configuration: tuple(map(int, pair(*configuration)))


def drawn(rng, reshard, passes, bare=False):
    """A configuration with some layers wrapped and some not; with ``bare``, of layers without parameters as well."""
    count = int(rng.integers(4, 9))
    layers = [int(width * (width + 1)) for width in rng.integers(3, 20, size=count)]
    if bare:
        layers[1::2] = [0] * len(layers[1::2])
    wrapped = [int(number) for number in rng.permutation(count)[: rng.integers(2, count - 1)]]
    return layers, wrapped, reshard, passes


def right(ask, configurations, place):
    """In how many of the configurations one of the two numbers is right."""
    return sum(ask(*one)[place] == counts(*one)[place] for one in configurations)


def mixed(rng):
    """Configurations of every kind."""
    found = [drawn(rng, bool(number % 2), 1 + number // 2) for number in range(6)]
    everything = [int(number) for number in rng.permutation(5)]
    # A layer of one number is also a unit.
    return [*found, ([12, 1, 12, 12, 1], everything, True, 2), ([12] * 5, everything[::-1], False, 3)]


@core
@weight(3)
@hint(
    "A unit is gathered before its forward pass, and once more before its backward pass if it was "
    "sharded again in between. The root unit, which holds all other parameters, is gathered only once; "
    "if no parameters are left for it, it sends nothing."
)
@misconception("one-gather-each")
def test_all_gathers(ask, rng):
    """The number of all-gathers is right for wrappings of every kind."""
    cases = mixed(rng)
    good = right(ask, cases, 0)
    with saw("Right numbers of all-gathers: {good} of {total}.", good=good, total=len(cases)):
        assert good == len(cases)


@core
@weight(3)
@hint("Each unit that has parameters sends its gradients in one reduce-scatter, in each backward pass.")
@misconception("one-gather-each")
def test_reduce_scatters(ask, rng):
    """The number of reduce-scatters is right for wrappings of every kind."""
    cases = mixed(rng)
    good = right(ask, cases, 1)
    with saw("Right numbers of reduce-scatters: {good} of {total}.", good=good, total=len(cases)):
        assert good == len(cases)


@hint("If no layer is wrapped by itself, the root unit holds all of them.")
@misconception("one-gather-each")
def test_root_alone(ask, rng):
    """Both numbers are right if no layer is a separate unit."""
    for passes in (0, 1, 3):
        case = [int(size) for size in rng.integers(10, 99, size=4)], [], True, passes
        assert ask(*case) == counts(*case)


@value
@weight(2)
@hint("A layer without parameters (tanh, ReLU) has nothing to shard: as a unit it sends nothing.")
@misconception("one-gather-each")
def test_layers_without_parameters(ask, rng):
    """Layers without parameters send nothing."""
    cases = [drawn(rng, bool(number % 2), 1 + number % 3, bare=True) for number in range(6)]
    # Nothing is left for the root; and more than one layer is.
    cases += [([20, 0, 30, 0], [2, 0], True, 1), ([20, 0, 30, 40], [0], True, 1)]
    cases.append(([20, 0, 30], [1], True, 2))  # the only unit has none
    cases += [([20, 30], [1], True, 1), ([20, 0, 30, 0], [2, 3], False, 2)]  # only the first layer is left
    good = sum(ask(*case) == counts(*case) for case in cases)
    with saw("Right pairs with layers that have no parameters: {good} of {total}.", good=good, total=len(cases)):
        assert good == len(cases)


@hint("Integers: a / b gives a float, even if nothing is left over; a // b gives an integer.")
@misconception("reads-the-task")
def test_integers(pair, rng):
    """Both numbers are integers."""
    answer = pair(*drawn(rng, True, 2))
    with saw("fsdp_counts returned {kinds}.", kinds=joined(map(kind_of, answer))):
        assert all(np.asarray(count).dtype.kind in "biu" for count in answer)


@hint("A list or dict that you are given belongs to the caller: change a copy of it.")
@misconception("reads-the-task")
def test_list_stays(student, rng):
    """The lists of layers and of wrapped layers stay as they are."""
    layers, wrapping, *more = drawn(rng, True, 2, bare=True)
    wrapping = sorted({1, *wrapping}, reverse=True)  # sorting it is seen, and so is taking out what has no parameters
    seen = student.call("fsdp_counts", layers, wrapping, *more)
    with saw("fsdp_counts returned {kind}.", kind=kind_of(seen.returned)):
        assert seen.returned
    check_containers_stay(
        sum(after != given for after, given in zip(seen.arguments[:2], (layers, wrapping), strict=True))
    )
