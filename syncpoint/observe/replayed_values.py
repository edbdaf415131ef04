"""Replacements for the host's numbers when the device runs a call again, without Python."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from ..probe.serialization import EngineArray

CLOSE = 1e-5  # tolerance of a sum in single precision
Pair = tuple[np.ndarray, np.ndarray]


class HostValues:
    """The values that the judge or device gave the host in a call, each with its replacement.

    ``missing`` counts numbers and arrays without one.
    """

    def __init__(self, pairs: Iterable[Pair]) -> None:
        self.missing = 0
        self._pairs = [(np.ravel(old).astype(float), np.ravel(new).astype(float)) for old, new in pairs]

    @property
    def new(self) -> tuple[np.ndarray, ...]:
        """The replacements, each of shape (n,), in the order of the pairs."""
        return tuple(new for _, new in self._pairs)

    @cached_property
    def _numbers(self) -> dict[float, float | None]:
        found: dict[float, float | None] = {}
        for old, new in self._pairs:
            for one, other in zip(old.tolist(), new.tolist(), strict=True):
                if found.setdefault(one, other) != other:
                    found[one] = None
        return found

    def value(self, value: Any) -> Any:
        """Return a value with all nested numbers replaced; None for a number that cannot be derived.

        Whole numbers of Python count something, and stay.
        """
        if isinstance(value, (float, np.floating)):
            found = self._array(np.asarray(value))
            return None if found is None else float(found)
        if isinstance(value, np.ndarray):
            return self._array(value)
        if isinstance(value, EngineArray) and value.device == 0:
            values = self._array(value.values)
            return None if values is None else replace(value, values=values, gradient=None)
        if isinstance(value, (list, tuple)):
            return type(value)(map(self.value, value))
        if isinstance(value, dict):
            return {key: self.value(one) for key, one in value.items()}
        return value

    def _array(self, values: np.ndarray) -> np.ndarray | None:
        found = self._stands_for(values)
        self.missing += found is None
        return found

    def _stands_for(self, values: np.ndarray) -> np.ndarray | None:
        """Return the replacement of an array: whole, number by number, or a sum or norm of reported values."""
        flat = np.ravel(values).astype(float)
        whole = [new for old, new in self._pairs if np.array_equal(old, flat)]
        if whole and all(np.array_equal(whole[0], one) for one in whole):
            return whole[0].reshape(values.shape).astype(values.dtype)
        numbers = [self._numbers.get(one) for one in flat.tolist()]
        if None not in numbers:
            return np.array(numbers).reshape(values.shape).astype(values.dtype)
        return self._made_of(float(flat[0]), values) if flat.size == 1 else None

    def _made_of(self, number: float, values: np.ndarray) -> np.ndarray | None:
        together = tuple(np.concatenate([pair[side] for pair in self._pairs] or [np.zeros(0)]) for side in (0, 1))
        for old, new in (together, *self._pairs[-1:]):
            for rule in (np.sum, np.mean, np.linalg.norm, _root):
                if old.size and np.isclose(rule(old), number, rtol=CLOSE, atol=0):
                    return np.full(values.shape, rule(new), values.dtype)
        return None


def _root(values: np.ndarray) -> float:
    return float(np.sqrt(abs(values[-1])))
