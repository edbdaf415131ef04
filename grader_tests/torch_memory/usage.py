"""What one call used on the device: memory, operations, and copies to the host."""

from dataclasses import dataclass

from syncpoint.graders import saw
from syncpoint.graders.device_log import COPYING, DOWNLOAD, DeviceLog


@dataclass(frozen=True)
class Usage(DeviceLog):
    """A log, and the most memory that was allocated at a time.

    peak: in bytes, of all devices together, beyond what was there when the call began.
    """

    peak: int = 0

    def uses(self, array):
        """How many operations compute with an array."""
        return sum(one.label not in COPYING for one in self.readers(array))

    def passes(self, weight, examples):
        """How many operations compute with a weight and what follows from the examples, and leave the weight alone.

        Of the first layer these are its forward passes: its backward pass needs no gradient of the examples.
        """
        computing = [one for one in self.readers(weight) if one.label not in COPYING and weight not in one.outputs]
        return sum(self.follows_from(one, examples) for one in computing)

    def updates(self, array):
        """How many operations write an array."""
        return len(self.writers(array))

    def check_works(self):
        """Fail if nothing was computed with the first array: code that does nothing also does nothing wrong."""
        with saw("Your code did not compute anything with the network."):
            assert self.uses(1)

    def check_peak(self, most):
        """Fail if more memory was allocated at a time; says how much, relative to the limit."""
        with saw("At its peak your code had {ratio:.2f} times the memory that it may have.", ratio=self.peak / most):
            assert self.peak <= most

    def check_stay(self, *arrays):
        """Fail if an operation writes one of these arrays."""
        written = sum(map(self.updates, arrays))
        with saw("Your function wrote to its inputs in {written} operations.", self.events, written=written):
            assert not written

    def check_stays_on_device(self):
        """Fail if anything was copied to the host."""
        copies = sum(one.label == DOWNLOAD for one in self.operations)
        with saw("Copies to the host: {copies}.", copies=copies):
            assert not copies

    def check_no_wait(self):
        """Fail if the host waited."""
        with saw(
            "Waits of the host: {count}, the first one by {first_wait}.",
            self.events,
            count=len(self.waits),
            first_wait=self.first_wait,
        ):
            assert not self.waits
