"""Fills the memory of a held-back array with other values that look similar."""

from typing import Any

import numpy as np

_generator = np.random.default_rng
# How far other values are from a constant: relative to its size (or to 1), and for integers.
SPREAD, NEAR = 0.1, 4


def disguise(values: np.ndarray) -> np.ndarray:
    """Return fresh random values of the same shape and type, as large and as far apart as the given ones.

    Whole numbers become whole numbers of the same range. If all values are equal, they become values close to it.
    Where values are repeated, as in pictures, equal values stay equal.
    """
    rng = _generator()  # from the system's entropy: no seed that a notebook could know
    kind = values.dtype.kind
    known = np.sort(values[np.isfinite(values)], axis=None) if values.size else np.zeros(1, values.dtype)
    low, high = (known[0], known[-1]) if known.size else (0.0, 0.0)
    several = known[np.append(True, known[1:] != known[:-1])] if known.size else known
    drawn: Any
    if 2 < several.size <= values.size / 2 and known.size == values.size:
        drawn = _exchange(values, several, rng)
    elif kind == "b":
        drawn = rng.integers(2, size=values.shape)
    elif kind in "iu":
        low, high = int(low), int(high)
        if low == high:
            low, high = max(low - NEAR, np.iinfo(values.dtype).min), min(low + NEAR, np.iinfo(values.dtype).max)
        drawn = rng.integers(low, high, values.shape, values.dtype, endpoint=True)
    elif low == high:
        drawn = rng.normal(low, SPREAD * max(abs(low), 1.0), values.shape)
    elif np.array_equal(known, np.round(known)):
        drawn = np.floor(rng.uniform(low, high + 1, values.shape))
    else:
        # Between neighbors in sorted order, so most often where most values are.
        drawn = np.interp(rng.uniform(0, known.size - 1, values.shape), np.arange(known.size), known)
    disguised: np.ndarray = drawn.astype(values.dtype)
    return disguised


def _exchange(values: np.ndarray, several: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Replace each of several values (k,), in ascending order, by other ones, different in each example."""
    examples = np.searchsorted(several, values).reshape(len(values), -1)
    exchanged, same = examples.copy(), np.arange(len(examples))
    while same.size:  # draw again if a value would stay the same
        shifts = rng.integers(several.size, size=(same.size, 1))
        directions = rng.choice([-1, 1], size=(same.size, 1))
        exchanged[same] = (shifts + directions * examples[same]) % several.size
        same = same[(exchanged[same] == examples[same]).all(axis=1)]
    disguised: np.ndarray = several[exchanged].reshape(values.shape)
    return disguised
