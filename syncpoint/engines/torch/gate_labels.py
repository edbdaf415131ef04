"""The gates of one call, from its log: which are closed, and which one a wait opens.

The device holds commands (`gates.py` in simgpu's `device`); graders know a gate by the array that it holds back.
"""

from collections.abc import Iterable, Mapping
from typing import Any

EVERYTHING = "unrelated"  # the gate that only a wait for everything opens


class GateLabels:
    """Labels of the gates that are closed: before arrays, by storage, on each result, and one for unrelated work.

    Only a wait for everything opens the unrelated one.
    """

    def __init__(self, arrays: Mapping[int, str], results: bool, unrelated: bool) -> None:
        self._results, self._operations = results, 0
        self._closed: dict[Any, str] = {("array", storage): label for storage, label in arrays.items()}
        if unrelated:
            self._closed[EVERYTHING] = EVERYTHING
        self._touched: dict[int, set[int]] = {}

    def __len__(self) -> int:
        return len(self._closed)

    @property
    def closed(self) -> tuple[str, ...]:
        """The labels of the gates that are closed now."""
        return tuple(self._closed.values())

    def command(self, number: int, storages: Iterable[int]) -> None:
        """Note a command that reads or writes these storages."""
        self._touched[number] = set(storages)

    def operation(self, number: int, label: str) -> None:
        """Note an operation, which may have its own gate."""
        self._operations += 1
        if self._results:
            self._closed[number] = f"{label} {self._operations}"

    def wait(self, numbers: Iterable[int], own: int, everything: bool) -> tuple[str, ...]:
        """Open the gates that a wait opens; return their labels, without the gate that held the wait itself.

        It releases the commands of these numbers; ``own`` is the command that the wait belongs to, -1 for none.
        """
        opened = [label for number in numbers if number != own for label in self._open(number)]
        self._open(own)
        if everything and EVERYTHING in self._closed:
            opened.append(self._closed.pop(EVERYTHING))
        return tuple(opened)

    def _open(self, number: int) -> list[str]:
        """Open the gates of a command: that of its result, and those of the arrays that it uses."""
        keys = [number, *(("array", storage) for storage in self._touched.get(number, ()))]
        return [self._closed.pop(key) for key in keys if key in self._closed]
