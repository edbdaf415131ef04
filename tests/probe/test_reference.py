"""The right training of graders draws nothing that rounding alone decides."""

import numpy as np

from syncpoint.graders import reference


def is_safe(count: int, loss: str) -> bool:
    """Whether a batch may be drawn in which so many errors are above 0, and as many below."""
    weights = [np.ones((1, 1)), np.ones(1), np.ones((1, 1)), np.zeros(1)]
    X = np.linspace(1, 2, 2 * count)[:, None]
    y = X[:, 0] + 1 + np.where(np.arange(2 * count) % 2, 0.5, -0.5)
    return bool(reference.right_pass(weights, X, y, loss)[2])


def test_many_signs_that_cancel_are_not_drawn_for_adam():
    """Added up in another order they may leave a rest, of which Adam makes a whole step."""
    assert not is_safe(3, "L1Loss")


def test_few_signs_that_cancel_do_so_in_any_order():
    assert is_safe(2, "L1Loss")


def test_errors_that_cancel_matter_to_no_other_loss():
    assert is_safe(3, "HuberLoss")
