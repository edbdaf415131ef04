"""Keeps the store small: removes old or excess results unless a mark in the gradebook needs them."""

import time
from collections.abc import Collection
from dataclasses import dataclass

from ..core.atomic_write import sweep_parts
from ..core.errors import SyncpointError
from ..core.limits import MIB
from ..course.folder import Course
from ..course.shared_files import SharedFiles
from ..grading.try_files import sweep
from ..judge.result_store import Store, StoredResult

DAY = 24 * 3600  # seconds
NOTHING = "Nothing was removed: no result without a mark is older or exceeds the size that you gave"


@dataclass(frozen=True)
class Pruned:
    """The outcome of pruning the store."""

    removed: list[StoredResult]
    remaining: list[StoredResult]
    used: int  # number of remaining results that marks in the gradebook depend on
    linked: int  # bytes freed by replacing equal files with links


def prune(course: Course, used: Collection[str], days: float | None = None, mib: float | None = None) -> Pruned:
    """Remove unused results: those older than this many days, and then the oldest until this many MiB are left.

    Files of releases that are in students' folders become links to one copy.

    A run at the same time only loses time.

    Raises:
        SyncpointError: If a file cannot be removed.
    """
    store = Store(course.results)
    sweep_parts(store.folder)
    remaining = sorted(store, key=lambda one: one.judged)
    left = sum(one.size for one in remaining)
    removed = []
    for one in [one for one in remaining if one.key not in used]:
        is_old = days is not None and one.judged < time.time() - days * DAY
        if is_old or (mib is not None and left > mib * MIB):
            try:
                store.remove(one.key)
            except OSError as problem:
                raise SyncpointError(f"{store.path(one.key)} cannot be removed ({problem.strerror}).") from None
            left -= one.size
            removed.append(one)
    gone = {one.key for one in removed}
    remaining = [one for one in remaining if one.key not in gone]
    sweep(course.root)
    shared = SharedFiles(course.root, *course.assignments())
    linked = sum(shared.share(course.root / name) for name in ("submitted", "autograded"))
    return Pruned(removed, remaining, sum(one.key in used for one in remaining), linked + shared.sweep())


def describe(pruned: Pruned, mib: float | None) -> list[str]:
    """Return lines that say what was done."""
    gone = f"Removed {_results(pruned.removed)}" if pruned.removed else NOTHING
    lines = [f"{gone}; kept {_results(pruned.remaining)}, {pruned.used} of them for marks in the gradebook."]
    if mib is not None and sum(one.size for one in pruned.remaining) > mib * MIB:
        lines.append("That is more than --size, because marks in the gradebook need all that is left.")
    if pruned.linked:
        lines.append(
            f"Files of releases in students' folders: {pruned.linked / MIB:.1f} MiB freed by links to one copy."
        )
    return lines


def _results(some: list[StoredResult]) -> str:
    return f"{len(some)} result{'' if len(some) == 1 else 's'} ({sum(one.size for one in some) / MIB:.1f} MiB)"
