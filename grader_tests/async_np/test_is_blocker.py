"""is_blocker(name) says which lines of Python wait for a pending array.

The two tables are proved against the engine by tests/probe/test_async_np_table.py.
"""

import numpy as np
import pytest

from syncpoint.graders import core, hint, misconception, saw, weight

BLOCKS = {
    "barriers": {"wait_to_read", "waitall"},
    "conversions": {"print", "asnumpy", "tolist", "item", "float", "if"},
    "sizes": {"mask", "nonzero", "unique"},
    "writes": {"numpy_write"},
}
QUEUES = {
    "barriers": {"shape", "len", "dtype"},
    "conversions": {"sum", "argmax", "astype"},
    "sizes": {"compare", "where", "sort", "mask_write"},
    "writes": {"add", "dot", "in_place", "copy", "reshape", "transpose", "row", "fill"},
}


@pytest.fixture(scope="module")
def answers(student):
    """The answer of is_blocker for each name, in a random order."""
    names = sorted(set().union(*BLOCKS.values(), *QUEUES.values()))
    np.random.default_rng().shuffle(names)
    return {name: student.call("is_blocker", name).returned for name in names}


def check(answers, group):
    """Fail unless all answers of the group are right; always the same answer is wrong in every group."""
    right = dict.fromkeys(BLOCKS[group], True) | dict.fromkeys(QUEUES[group], False)
    wrong = [name for name in sorted(right) if not is_truth(answers[name]) or bool(answers[name]) is not right[name]]
    with saw("Wrong answers: {wrong} of {total}.", wrong=len(wrong), total=len(right)):
        assert not wrong, wrong


def is_truth(answer):
    """Whether it is True or False, of Python or NumPy."""
    return isinstance(answer, (bool, np.bool_))


@hint("Return True or False, for each name of the list: not None, not a word, not an array.")
@misconception("reads-the-task")
def test_true_or_false(answers):
    """is_blocker answers True or False for every name."""
    others = [answer for answer in answers.values() if not is_truth(answer)]
    with saw("Answers that are neither True nor False: {others} of {total}.", others=len(others), total=len(answers)):
        assert not others, answers


@hint("A barrier does nothing but wait. Which facts about an array are known before its numbers are computed?")
@misconception("call-means-done")
def test_barriers(answers):
    """is_blocker knows the barriers, and what can be read from a pending array without a wait."""
    check(answers, "barriers")


@core
@weight(2)
@hint("Which lines pass numbers to Python, NumPy or the screen? And which ones keep them in a new array?")
@misconception("hidden-waits")
def test_conversions(answers):
    """is_blocker knows which lines pass numbers to Python, and which keep them in an array."""
    check(answers, "conversions")


@core
@hint(
    "Not only calls that hand numbers to Python wait. Which lines of the list give a result whose size is"
    " not known in advance?"
)
@misconception("unknown-size")
def test_hidden_waits(answers):
    """is_blocker knows the lines that wait although they do not look like a wait."""
    found = [name for name in BLOCKS["sizes"] if is_truth(answers[name]) and answers[name]]
    with saw(
        "Of {count} lines of this kind in the list, is_blocker found {found}.",
        count=len(BLOCKS["sizes"]),
        found=len(found),
    ):
        assert len(found) > len(BLOCKS["sizes"]) / 2, answers


@weight(3)
@hint(
    "How many elements does the result have? If this depends on the numbers, the operation must wait. "
    "Measure these lines."
)
@misconception("unknown-size")
def test_sizes(answers):
    """is_blocker knows the operations that must wait because the size of their result depends on the numbers."""
    check(answers, "sizes")


@weight(2)
@hint("Operations, views and writes are only enqueued. But what if the numbers to write come from NumPy?")
@misconception("unknown-size")
def test_writes(answers):
    """is_blocker knows that operations and writes are only enqueued, and which one write waits."""
    check(answers, "writes")
