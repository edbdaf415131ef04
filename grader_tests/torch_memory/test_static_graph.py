"""steady(x, k), predict_graphs(cases), save_program(net, x, path): one graph, numbers of graphs, and a saved one."""

import numpy as np
import pytest
from networks import forward, is_close
from programs import drawn, graphs

from syncpoint.graders import EngineArray, core, hint, is_number, kind_of, misconception, saw, value, weight
from syncpoint.graders.unchanged import check_containers_stay

LARGE = 100_003  # rows, more than somebody writes down


def steady(x, k):
    """The function of the exercise."""
    return (x * k if x.sum() > 0 else x - k) + len(x)


def calls_of(rng):
    """Both branches, with several sizes and several k, in a drawn order."""
    found = []
    for sign in (1, -1):
        for size, k in ((3, 2), (5, 3), (int(rng.integers(300, 2000)), int(rng.integers(20, 90)))):
            x = rng.uniform(0.5, 2, size=size)
            x[rng.integers(size)] = -0.25  # not all of them have the sign of the sum
            found.append([(sign * x).astype("float32"), k])
    found.append([np.zeros(4, "float32"), 3])  # a sum of 0 is not above 0
    found += [[np.full(4, sign / 20, "float32"), 3] for sign in (1, -1)]  # and one just above it is
    return [found[place] for place in rng.permutation(len(found))]


def check_values(values, calls):
    """Fail unless these are the function's values."""
    right = [steady(x, k) for x, k in calls]
    good = sum(is_close(answer, wanted, atol=1e-4) for answer, wanted in zip(values, right, strict=True))
    with saw("Calls with the right values: {good} of {total}.", good=good, total=len(right)):
        assert good == len(right)


def check_one_graph(found, calls):
    """Fail unless a compiler made one graph for all calls."""
    with saw(
        "Graphs that were compiled for {count} calls: {graphs}. There should be one.",
        count=len(calls),
        graphs=found["graphs"],
    ):
        assert found["graphs"] == 1


@pytest.fixture(scope="module")
def calls():
    """Drawn arguments of steady."""
    return calls_of(np.random.default_rng())


@core
@weight(4)
@hint(
    "Use torch.where, which computes both branches and picks one on the device, or weights of 0 and 1, or "
    "torch.cond. But item, if and float need the number now, and a loop over range(k) makes another program for"
    " each k."
)
@misconception("graph-is-one-way")
def test_one_program(student, calls):
    """steady can be exported as one program, which is right in both branches, for every size and every k."""
    program = student.observe("exported", rows=6, k=7)["program"]
    with student.separate_sandbox() as away:  # closed again, so that the saved program may have the same one, cleaned
        found = away.observe("compiled", program=program, calls=calls)
    check_values(found["values"], calls)
    check_one_graph(found, calls)


@hint("print and other side effects end a graph; a list or a global that changes makes the compiler begin again.")
@misconception("graph-is-one-way")
def test_one_graph(student, calls):
    """Compiled, steady makes one graph for all calls."""
    # This runs next to student code, which may lie: it decides only where the program leaves out what is no operation.
    check_one_graph(student.observe("graphs", calls=calls), calls)


@pytest.fixture(scope="module")
def exact(calls):
    """The same arguments, of float64."""
    return [[x.astype("float64"), k] for x, k in calls]


@pytest.fixture(scope="module")
def plain(student, calls, exact):
    """steady without a compiler, called with both."""
    return student.observe("plain", calls=[*calls, *exact])


@value
@hint("Without a compiler steady gives the same as jumpy: also compare them for a negative sum.")
@misconception("reads-the-task")
def test_value(plain, calls, exact):
    """steady gives the values of the given function."""
    found = plain["values"]
    check_values(found[: len(calls)], calls)
    good = sum(
        is_close(answer, steady(x, k), 1e-9, 1e-9) for answer, (x, k) in zip(found[len(calls) :], exact, strict=True)
    )
    with saw("Calls with the right values: {good} of {total}.", good=good, total=len(exact)):
        assert good == len(exact)


@hint("x belongs to the caller. Copy it before you change it in place.")
@misconception("reads-the-task")
def test_x_stays(plain):
    """x stays as it is."""
    good = sum(isinstance(one, EngineArray) for one in plain["values"] or [])
    with saw("Calls of steady that returned a tensor: {good}.", good=good):
        assert good
    with saw("Vectors x that steady has changed: {changed}.", changed=plain["changed"]):
        assert not plain["changed"]


def predicted(student, cases, again=False):
    """In how many cases predict_graphs is right; fails where it returns no list.

    again: whether it is asked something else meanwhile, and once more after its first answer was emptied.
    """
    given = [[list(lines), list(sizes)] for lines, sizes in cases]
    if again:
        answers = student.observe("asked", function="predict_graphs", arguments=[given], others=[given[1:]])["answers"]
    else:
        answers = [student.call("predict_graphs", given).returned]
    for answer in answers:
        with saw("predict_graphs returned {kind}.", kind=kind_of(answer)):
            assert isinstance(answer, (list, tuple)) and len(answer) == len(cases)
    return min(
        sum(is_number(count) and count == graphs(case) for count, case in zip(answer, cases, strict=True))
        for answer in answers
    )


@core
@weight(2)
@hint("A line that a compiler cannot compile ends a graph, and another graph begins after it.")
@misconception("graph-is-one-way")
def test_predicts_breaks(student, rng):
    """The number of graphs is predicted for programs with and without breaks."""
    cases = drawn(rng, [(int(breaks), 1) for breaks in rng.permutation([0, 0, 1, 1, 2, 2])])
    good = predicted(student, cases)
    with saw("Right numbers of graphs: {good} of {total}.", good=good, total=len(cases)):
        assert good == len(cases)


@value
@weight(2)
@hint(
    "The first graphs are only for the size that came first. With the second size, each graph is made once "
    "more, and this graph is for every size. Later sizes need no new graph. A size that came before also needs "
    "none."
)
@misconception("graph-is-one-way")
def test_predicts_sizes(student, rng):
    """The number of graphs is predicted for programs that are called with several sizes."""
    cases = drawn(rng, [(breaks, sizes) for breaks in (0, 1, 2) for sizes in (2, 3)])
    good = predicted(student, cases, again=True)
    with saw("Right numbers of graphs for several sizes: {good} of {total}.", good=good, total=len(cases)):
        assert good == len(cases)


@pytest.fixture(scope="module")
def ran(student):
    """``ran[argument, rows]``: what the saved program gave elsewhere for inputs of these numbers of rows, and what is
    right.

    argument: how forward calls it in the network that was saved.  Each time it is another network.
    """
    rng, found = np.random.default_rng(), {}

    def run(other, argument, xs):
        layers = [rng.normal(size=shape).astype("float32") for shape in ((3, 4), (2, 3))]
        program = student.observe("saved", weights=layers, x=xs[0], argument=argument)["program"]
        with saw("save_program left no file at the path that it got."):
            assert program is not None
        values = other.observe("opened", program=program, calls=[[x] for x in xs])["values"]
        return values, [forward(layers, x)[-1] for x in xs]

    with student.separate_sandbox() as other:  # no program that was opened before has run here
        for argument, rows in (("input", (5, 5)), ("input", (2, LARGE)), ("signal", (5, 5))):
            xs = [rng.normal(size=(count, 4)).astype("float32") for count in (5, *rows)]
            try:
                found[argument, rows] = run(other, argument, xs)
            except AssertionError as failed:
                found[argument, rows] = failed, []
    return found


def check_program(ran, rows=(5, 5), argument="input"):
    """Fail unless the program ran, and was right for these numbers of rows."""
    values, right = ran[argument, rows]
    if isinstance(values, AssertionError):
        raise values
    with saw("In another process the saved program gives other values than the network."):
        for answer, wanted in zip(values, right, strict=True):
            assert is_close(answer, wanted, rtol=1e-3, atol=1e-4)


@core
@weight(2)
@hint("torch.export.save writes the program with its numbers. A pickle, or a state_dict, needs your classes as well.")
@misconception("graph-is-one-way")
def test_program_runs_elsewhere(ran):
    """The saved program gives the values of the network in a process that has none of your code."""
    check_program(ran)


@hint("A dict for dynamic_shapes names the argument of forward, which may have any name. A tuple names none.")
@misconception("reads-the-task")
def test_any_argument(ran):
    """The argument of the network's forward may have any name."""
    check_program(ran, argument="signal")


@value
@weight(2)
@hint("torch.export treats the sizes of the example as fixed, unless dynamic_shapes says which ones may change.")
@misconception("graph-is-one-way")
def test_any_rows(ran):
    """The saved program takes any number of rows."""
    check_program(ran, (2, LARGE))


@hint("A list or dict that you are given belongs to the caller: change a copy of it.")
@misconception("reads-the-task")
def test_list_stays(student, rng):
    """The lists that predict_graphs is given stay as they are."""
    cases = [[list(lines), list(sizes)] for lines, sizes in drawn(rng, [(breaks, 2) for breaks in (0, 1, 2)])]
    seen = student.call("predict_graphs", cases)
    with saw("predict_graphs returned {kind}.", kind=kind_of(seen.returned)):
        assert seen.returned
    check_containers_stay(int(seen.arguments != [cases]))
