"""export_net(net, x, prefix) writes a network's program and parameters; load_net(prefix) reads them."""

from dataclasses import asdict

import numpy as np
import pytest
from networks import perceptron

from syncpoint.graders import EngineArray, core, hint, kind_of, message, misconception, saw, value, weight

FILES = {"-0000.params", "-symbol.json"}
# What may have been done to a network that is hybridized. A call before that traces nothing.
HYBRIDIZED = [("hybridize", "call"), ("call", "hybridize")]
# Float32 in layers as small as these: of 16,000 networks, none was off by more than a twentieth of it. Of those that
# were rounded to float16, each was off by more.
TOLERANCE = 1e-5


@pytest.fixture(scope="module")
def export(student):
    """``export(*before)``: what export_net made of a network, with that network in NumPy and the inputs.

    before: what was done to it by then, each "call" or "hybridize".  batch_norm: whether it has one.  name: the prefix.
    """
    done = {}

    def run(*before, batch_norm=False, name="net"):
        key = before, batch_norm, name
        if key not in done:
            rng = np.random.default_rng()
            features, hidden, outputs = map(int, rng.integers([3, 6, 2], [6, 9, 5]))
            net = perceptron(features, hidden, outputs, batch_norm=batch_norm)
            inputs = [rng.normal(size=(size, features)) for size in (2, 5)]
            x = rng.normal(size=(2, features))
            # A new process takes a second: once is enough.
            options = {"before": list(before), "fresh": key == ((), False, "net"), "name": name}
            seen = student.observe("exported", network=asdict(net), x=x, inputs=inputs, **options)
            done[key] = seen | {"given": x}, net, inputs
        return done[key]

    return run


@hint("net.export(prefix) writes two files: prefix-symbol.json and prefix-0000.params. It needs a hybridized network.")
@misconception("program-and-parameters")
def test_files(export):
    """export_net writes the two files that belong to the prefix."""
    seen, _, _ = export()
    with saw("Files that were written: {count} of two.", count=len(FILES & set(seen["files"]))):
        assert set(seen["files"]) >= FILES, seen["files"]


@core
@weight(3)
@hint("The files hold the program and all parameters of this very net, as they are: a new Python needs nothing else.")
@misconception("program-and-parameters")
def test_fresh_process(export, check_numbers):
    """In a new Python process, the files alone give the outputs of the network."""
    seen, net, inputs = export()
    with saw("The files that were written could not be loaded."):
        assert seen["outputs"] is not None, seen["files"]
    check_numbers(seen["outputs"], net, inputs)


@value
@hint("The files hold all parameters, also those without a gradient, such as the running averages of nn.BatchNorm.")
@misconception("program-and-parameters")
def test_running_averages(export, check_numbers):
    """The files also hold the parameters that have no gradient."""
    seen, net, inputs = export(batch_norm=True)
    with saw("The files that were written could not be loaded."):
        assert seen["outputs"] is not None, seen["files"]
    check_numbers(seen["outputs"], net, inputs)


@hint("The prefix is the beginning of the two file names, as it is: with its folders, and with its dots.")
@misconception("reads-the-task")
def test_prefix(export, rng):
    """The prefix may contain folders and dots."""
    seen, _, _ = export(name="trained/{}.{}/net-{}.{}".format(*rng.integers(1, 10, size=4)))
    with saw("Files that were written: {count} of two.", count=len(FILES & set(seen["files"]))):
        assert set(seen["files"]) >= FILES, seen["files"]


@hint(
    "The network may be hybridized already, or not yet. If it is, it may have been called since then, or "
    "not. All of these cases must work."
)
@misconception("program-and-parameters")
def test_hybridized_before(export, check_numbers):
    """export_net also works if the network is already hybridized, whether it was called after that or not."""
    for before in HYBRIDIZED:
        seen, net, inputs = export(*before)
        with saw("The files that were written could not be loaded."):
            assert seen["outputs"] is not None, seen["files"]
        check_numbers(seen["outputs"], net, inputs)


@hint("After export_net, the network itself must still give the same outputs: change none of its parameters, nor x.")
@misconception("names-and-arrays")
def test_keeps_the_network(export, check_numbers):
    """The network itself computes the same after export_net, and x is unchanged."""
    for before in ((), HYBRIDIZED[0]):
        seen, net, inputs = export(*before, batch_norm=True)
        with saw("export_net wrote no files."):
            assert seen["files"]
        check_numbers(seen["own_outputs"], net, inputs)
        with saw("After export_net, some parameters of the network have no gradient any more."):
            assert seen["trained"] == len(net.weights) + 2  # those of the BatchNorm
        with saw("After export_net, x holds other numbers than before."):
            np.testing.assert_array_equal(seen["x"], seen["given"].astype(np.float32))


@core
@weight(3)
@hint(
    "load_net knows only the prefix: the program and the parameters, of every kind, come from the files of that prefix."
)
@misconception("program-and-parameters")
def test_load(student, rng, check_numbers):
    """load_net makes a network from the two files, whatever network they hold."""
    hidden = map(int, rng.integers(6, 9, size=4))
    activations = map(str, rng.permutation(["relu", "tanh", "sigmoid"]))
    networks = [
        perceptron(3, next(hidden), 2, activation=next(activations)),
        perceptron(5, next(hidden), next(hidden), 3, activation=next(activations), batch_norm=True),
        perceptron(4, next(hidden), 4, activation=next(activations), plus_input=True),
    ]
    inputs = [rng.normal(size=(size, len(net.weights[0].T))) for size, net in zip((2, 4, 3), networks, strict=True)]
    seen = student.observe("loaded", networks=[asdict(net) for net in networks], inputs=inputs)
    for output, net, x in zip(seen["outputs"], networks, inputs, strict=True):
        check_numbers([output], net, [x])


@core
@hint(
    "Much may happen between export_net and load_net: a new kernel, for example. Only what the two files hold counts: "
    "keep no net, no block and no global variable."
)
@misconception("program-and-parameters")
def test_load_reads_the_files_as_they_are(student, rng, check_numbers):
    """load_net reads the files in each call, even if the network or the files have changed since the export.

    It also does so in a kernel in which export_net never ran.
    """
    trained_on, first, other = (perceptron(4, int(hidden), 3) for hidden in rng.integers(5, 9, size=3))
    inputs = [rng.normal(size=(size, 4)) for size in (2, 3)]
    networks = [asdict(net) for net in (trained_on, first)]
    seen = student.observe("loaded_later", exported=networks, written_over=asdict(other), inputs=inputs)
    with saw("load_net failed in a new kernel, in which export_net had not run."):
        assert seen["outputs"][-1] is not None
    changes = (
        message("the network was trained further"),
        message("other files were written in place of its own"),
        message("a new kernel was started"),
    )
    loaded = (trained_on, inputs[0]), (other, inputs[1]), (trained_on, inputs[0])
    for output, (net, x), change in zip(seen["outputs"], loaded, changes, strict=True):
        with saw(
            "After export_net, {change}. The block of load_net does not compute what the files hold.", change=change
        ):
            check_numbers([output], net, [x])


@pytest.fixture
def check_numbers():
    """``check_numbers(outputs, net, inputs)``: fail unless these are the outputs of the network."""

    def check(outputs, net, inputs):
        for output, x in zip(outputs, inputs, strict=True):
            with saw("The output is {kind}.", kind=kind_of(output)):
                assert isinstance(output, (EngineArray, np.ndarray)), output
            with saw("The output has another shape than that of the network."):
                assert np.shape(output) == net(x).shape, output
            np.testing.assert_allclose(output, net(x), rtol=TOLERANCE, atol=TOLERANCE)

    return check
