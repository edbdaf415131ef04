"""Versions of a trace's arrays, as the engine has them: which work must run before which."""

from collections.abc import Iterable


class Versions:
    """The versions of storages, numbered from 1 in the order in which they were enqueued.

    An operation or a gate that writes into an array makes a new version of its storage.  The engine lets it run when
    its inputs, the previous version and all readers of that version are done.  The storage of a deleted array may
    belong to another array now.  That does no harm, because it was freed only after all gates before it had opened.
    """

    def __init__(self) -> None:
        self.next = 1
        self._latest: dict[int, int] = {}
        self._after: dict[int, set[int]] = {}  # version -> versions that come before it
        self._readers: dict[int, set[int]] = {}  # version -> versions that were made from it

    def note_write(self, outputs: Iterable[int], inputs: Iterable[int] = ()) -> int:
        """Note work that writes and reads these storages; return the number of its outputs' versions."""
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
        """Forget all versions, because any array may have been written."""
        self._latest.clear()

    def of(self, storage: int, unknown: int) -> int:
        """Return the latest version of a storage; ``unknown`` if nothing has written it since the trace began."""
        return self._latest.get(storage, unknown)

    def needed_for(self, storages: Iterable[int]) -> set[int]:
        """Return the versions that are needed to read these storages, including their own."""
        left = {self._latest[storage] for storage in storages if storage in self._latest}
        found: set[int] = set()
        while left:
            found |= left
            left = set().union(*(self._after[version] for version in left)) - found
        return found
