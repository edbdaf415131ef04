"""Versions of a trace's arrays, as the engine sees them: which work has to run before which."""

from collections.abc import Iterable


class Versions:
    """The versions of storages, numbered from 1 in the order in which they were enqueued.

    Whatever writes into an array makes a new version of its storage: an operation, or a gate.  The engine lets it run
    when all is done that it reads, the version before it, and what reads that one.  The storage of an array that is
    gone may be another's now; no harm is done, for it was given back when no closed gate was before it any more.
    """

    def __init__(self) -> None:
        self.next = 1
        self._latest: dict[int, int] = {}
        self._after: dict[int, set[int]] = {}  # version -> those that come before it
        self._readers: dict[int, set[int]] = {}  # version -> those that were made from it

    def written(self, outputs: Iterable[int], inputs: Iterable[int] = ()) -> int:
        """Take note of one piece of work.

        Args:
            outputs: The storages that it writes.
            inputs: Those that it reads.

        Returns:
            The number of the version that it makes of each of its outputs.
        """
        version, self.next = self.next, self.next + 1
        written = set(outputs)
        read = {self._latest[storage] for storage in inputs if storage in self._latest}
        before = {self._latest[storage] for storage in written if storage in self._latest}
        self._after[version] = read.union(before, *(self._readers.get(earlier, ()) for earlier in before))
        for earlier in read:
            self._readers.setdefault(earlier, set()).add(version)
        self._latest.update(dict.fromkeys(written, version))
        return version

    def forget(self) -> None:
        """Any array may have been written."""
        self._latest.clear()

    def of(self, storage: int, unknown: int) -> int:
        """Return the latest version of a storage.

        Args:
            storage: Of an array.
            unknown: What is returned where nothing has written it since the trace began.
        """
        return self._latest.get(storage, unknown)

    def needed_for(self, storages: Iterable[int]) -> set[int]:
        """Return the versions that must be there before these storages can be read, their own among them."""
        left = {self._latest[storage] for storage in storages if storage in self._latest}
        found: set[int] = set()
        while left:
            found |= left
            left = set().union(*(self._after[version] for version in left)) - found
        return found
