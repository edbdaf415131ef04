"""Measures a notebook's resources, and ends it when it exceeds a limit."""

import itertools
import threading
from collections.abc import Callable

from ..core.limits import Limits
from ..sandbox.cpu_share import Meter, Turn
from ..sandbox.sandbox import Sandbox
from ..sandbox.usage import Usage
from .faults import Fault
from .resource_bounds import bounds

LOOK_SECONDS = 0.2


class Resources:
    """Measures, in a separate thread, the resources of all processes of a notebook together.

    The processes also inherit limits, but those apply to each process separately, and not at all if the judge is root.

    Args:
        limits: The limits for all of them together.
        sandboxes: The kernel's, and that of the engine's process, if it has one.
        before: The notebook's usage in earlier kernels.
        exceeded: Called with the fault of a notebook that uses too much.

    Attributes:
        meter: Measures the processors' time that the notebook got.
        peak_bytes: The most memory that was measured.
    """

    def __init__(self, limits: Limits, sandboxes: list[Sandbox], before: Usage, exceeded: Callable[[Fault], None]):
        self._bounds, self._exceeded, self._before = bounds(limits), exceeded, before
        self._sandboxes = sandboxes
        self.peak_bytes = 0
        self._closed = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)

    def watch(self) -> None:
        """Begin to measure, once all processes run."""
        self.meter = Meter(self._turns)
        self._watcher.start()

    def stop(self) -> None:
        self._closed.set()
        self._watcher.join()

    def usage(self) -> Usage:
        """The resources of the notebook, including its earlier kernels."""
        usage = self._before
        for sandbox in self._sandboxes:
            usage += sandbox.usage()
        return usage

    def exhausted(self) -> Fault | None:
        """The fault of a notebook that Linux ended because it ran out of a resource, or None."""
        exhausted = next((sandbox.exhausted for sandbox in self._sandboxes if sandbox.exhausted), "")
        return self._bounds[exhausted].fault if exhausted else None

    def _watch(self) -> None:
        looks = itertools.count()
        while not self._closed.wait(LOOK_SECONDS):
            if next(looks) % 5 == 0:  # the waits of threads that end before the next check are lost
                self.meter.read()
            usage = self.usage()
            self.peak_bytes = max(self.peak_bytes, usage.memory)
            exceeded = [bound.fault for name, bound in self._bounds.items() if getattr(usage, name) > bound.most]
            if exceeded:
                self._exceeded(exceeded[0])
                return

    def _turns(self) -> tuple[dict[int, Turn], float]:
        threads: dict[int, Turn] = {}
        seconds = 0.0
        for sandbox in self._sandboxes:
            turns, ran = sandbox.turns()
            threads |= turns
            seconds += ran
        return threads, seconds
