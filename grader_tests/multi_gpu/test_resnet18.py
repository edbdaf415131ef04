"""resnet18(num_classes): the network of the table, from the given residual blocks, not initialized."""

import numpy as np
import pytest

from syncpoint.graders import EngineArray, core, hint, kind_of, misconception, saw, value, weight

CHANNELS = [64, 64, 128, 128, 256, 256, 512, 512]
SIZES = [28, 28, 14, 14, 7, 7, 4, 4]
SMALLER = [2, 4, 6]  # the first blocks of the groups 2, 3 and 4
IMAGES = 2


@pytest.fixture(scope="module")
def num_classes():
    """Another number than that of Fashion-MNIST."""
    return int(np.random.default_rng().choice([5, 7, 12, 15]))


@pytest.fixture(scope="module")
def seen(student, num_classes):
    """The network after one pass of training over two images, with numbers compared with which an epsilon is small."""
    X = np.random.default_rng().uniform(0, 30, size=(IMAGES, 1, 28, 28)).astype(np.float32)
    seen = student.observe("residual_network", num_classes=num_classes, X=X)
    with saw("resnet18 did not return a Gluon network."):
        assert seen["is_network"]
    return {**seen, "X": X}


def parameters(seen, shape):
    """[last word of the name, values] of the parameters outside the residual blocks with this shape; None: any size."""
    found = [(word, other.values) for word, other in seen["others"] if isinstance(other, EngineArray)]
    return [
        (word, values)
        for word, values in found
        if values.ndim == len(shape)
        and all(wanted in (None, size) for wanted, size in zip(shape, values.shape, strict=True))
    ]


def convolution(X, weights):
    """X (n, 1, height, width) with weights (channels, 1, 3, 3) and padding 1, float64."""
    X = np.pad(X[:, 0].astype(np.float64), ((0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(X, (3, 3), axis=(1, 2))
    return np.einsum("nhwij,cij->nchw", windows, weights[:, 0])


@value
@hint("The last layer is Dense(num_classes): it gives one score for each class and image.")
@misconception("reads-the-task")
def test_scores(seen, num_classes):
    """The network gives num_classes scores for each image."""
    with saw("The output of the network is {kind}.", kind=kind_of(seen["output"])):
        assert isinstance(seen["output"], EngineArray)
    with saw("The output does not have one number for each image and class."):
        assert seen["output"].values.shape == (IMAGES, num_classes)


@hint("Kernel 3, stride 1, padding 1, 64 channels, and no pooling before the residual blocks.")
@misconception("reads-the-task")
def test_first_convolution(seen):
    """The network begins with the convolution of the table."""
    assert [values.shape for _, values in parameters(seen, [None] * 4)] == [(64, 1, 3, 3)]
    with saw("The first residual block gets pictures of another size, or other channels, than the table says."):
        assert seen["passes"] and seen["passes"][0][1] == [IMAGES, 64, 28, 28]


@value
@weight(2)
@hint("Between the first convolution and the residual blocks: batch norm, after it relu, and nothing else.")
@misconception("reads-the-task")
def test_norm_and_relu(seen):
    """Batch norm and relu, in this order, follow the first convolution, and nothing else does."""
    weights, vectors = parameters(seen, (64, 1, 3, 3)), parameters(seen, (64,))
    shifts = [values for word, values in vectors if word == "beta"]
    biases = [values for word, values in vectors if word == "bias"]
    assert seen["first_input"] and len(weights) == 1, "no single convolution"
    assert len(shifts) == 1 and len(biases) <= 1, "no single batch norm"
    # Batch norm takes the mean and the deviation of the batch away, and adds its random shifts.
    right = convolution(seen["X"], weights[0][1])
    right -= right.mean(axis=(0, 2, 3), keepdims=True)
    right /= right.std(axis=(0, 2, 3), keepdims=True)
    right += shifts[0][:, None, None]
    values = np.asarray(seen["first_input"][0])
    assert values.shape == right.shape
    np.testing.assert_allclose(values, np.maximum(right, 0), atol=1e-3 * np.abs(right).max())


@core
@weight(3)
@hint("Four groups of two blocks, each block a new one; only the first block of the groups 2, 3 and 4 has strides=2.")
@misconception("reads-the-task")
def test_blocks(seen):
    """Eight residual blocks follow one another, with the channels and sizes of the table."""
    with saw(
        "Different residual blocks: {blocks}. Calls of one block in a pass: {count}.",
        blocks=seen["blocks"],
        count=len(seen["passes"]),
    ):
        assert [number for number, *_ in seen["passes"]] == list(range(8)) and seen["blocks"] == 8
    with saw("There is something between two residual blocks."):
        assert [float(np.max(gap)) for gap in seen["between"]] == [0.0] * 7, seen["between"]
    outputs = [output for _, _, output, _ in seen["passes"]]
    right = [[IMAGES, channels, size, size] for channels, size in zip(CHANNELS, SIZES, strict=True)]
    fitting = sum(output == expected for output, expected in zip(outputs, right, strict=True))
    with saw("Blocks whose output has the channels and the size of the table: {fitting} of 8.", fitting=fitting):
        assert outputs == right


@value
@weight(2)
@hint("Which blocks change the number of channels? These need use_1x1conv=True, and no others.")
@misconception("reads-the-task")
def test_shortcuts(seen):
    """The first blocks of the groups 2, 3 and 4 have a 1 x 1 convolution, and no other block has one."""
    with_convolution = [
        place for place, (*_, shapes) in enumerate(seen["passes"]) if any(shape[2:] == [1, 1] for shape in shapes)
    ]
    with saw(
        "Blocks with a 1 x 1 convolution: {count}, not all of them where they belong.", count=len(with_convolution)
    ):
        assert len(seen["passes"]) == 8 and with_convolution == SMALLER


@value
@weight(2)
@hint(
    "After the blocks: the mean of each channel, one Dense layer without activation, and nothing else. No softmax, no "
    "dropout."
)
@misconception("reads-the-task")
def test_scores_from_means(seen, num_classes):
    """One fully connected layer makes the scores from the means of the channels."""
    weights = [values for _, values in parameters(seen, (None, None))]
    biases = [values for _, values in parameters(seen, (num_classes,))]
    assert len(weights) == 1 and len(biases) <= 1 and seen["last_output"], (len(weights), len(biases))
    means = np.asarray(seen["last_output"][0], dtype=np.float64).mean(axis=(2, 3))
    assert weights[0].shape == (num_classes, means.shape[1])
    right = means @ weights[0].T + sum(biases)
    assert isinstance(seen["output"], EngineArray) and seen["output"].values.shape == right.shape
    np.testing.assert_allclose(seen["output"], right, atol=1e-3 * np.abs(right).max())


@hint("Leave out initialize: where the parameters live is decided later, and a second initialize would be ignored.")
@misconception("every-call-starts-anew")
def test_not_initialized(seen):
    """The network is returned not initialized."""
    with saw("The network has parameters with values already."):
        assert seen["passes"] and not seen["initialized_on"]


@weight(2)
@hint("Make new layers inside resnet18 in each call, and keep none of them in a global variable.")
@misconception("every-call-starts-anew")
def test_new_network(seen):
    """Each call returns a new network."""
    with saw("Two calls gave networks that share parameters."):
        assert seen["passes"] and not seen["shared"]
