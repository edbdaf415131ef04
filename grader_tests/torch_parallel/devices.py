"""The log of one call on several devices: which device copies what to which, and what is not allowed."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from syncpoint.graders import joined, message, race, saw
from syncpoint.graders.device_log import DOWNLOAD, PEER, UPLOAD, DeviceLog

COPYING = {
    "clone",
    "copy_",
    "_to_copy",
    "contiguous",
    "detach",
    "cat",
    "_cat",
    "stack",
    PEER,
    UPLOAD,
}  # compute nothing


@dataclass(frozen=True)
class Devices(DeviceLog):
    """A log with operations on several devices; device 1 is the first."""

    def on(self, device):
        """The operations of a device, in order."""
        return [one for one in self.operations if one.stream[0] == device]

    def uses(self, array):
        """The operations that compute with an array; copies of numbers left out."""
        return [one for one in self.readers(array) if one.label not in COPYING]

    @cached_property
    def copies(self):
        """Of each copy from one device to another: (source, target, bytes)."""
        found = [event for event in self.events if event.kind == "enqueue" and event.label == PEER]
        return [(event.reads[0], event.writes[0], event.nbytes) for event in found]

    @property
    def neighbors(self):
        """For each device that sends: the devices to which it sends, and how many copies."""
        sent = {}
        for source, target, _ in self.copies:
            sent.setdefault(source, Counter())[target] += 1
        return sent

    def check_works(self):
        """Fail if the device had nothing to do: code that does nothing also does nothing wrong."""
        with saw("Your code gave the device nothing to do."):
            assert self.operations

    def check_no_wait(self, name=""):
        """Fail if the host waited; name: of the function that was called, where there are several."""
        waits = [self.events[place] for place in self.waits]
        count, first = len(waits), self.first_wait
        if name:
            text = message(
                "Waits of the host in {name}: {count}, the first one by {first}.", name=name, count=count, first=first
            )
        else:
            text = message("Waits of the host: {count}, the first one by {first}.", count=count, first=first)
        with saw(text, self.events):
            assert not waits

    def check_not_by_the_host(self):
        """Fail if numbers went to the host or came from there."""
        found = Counter(one.label for one in self.operations if one.label in (UPLOAD, DOWNLOAD))
        parts = []
        if found[UPLOAD]:
            parts.append(message("copies from the host: {count}", count=found[UPLOAD]))
        if found[DOWNLOAD]:
            parts.append(message("copies to the host: {count}", count=found[DOWNLOAD]))
        with saw("Numbers went through the host's memory ({copies}).", copies=joined(parts, commas=True)):
            assert not found

    def check_no_race(self, name=""):
        """Fail if two operations use the same memory and nothing orders them; name: as for check_no_wait."""
        count, first = len(self.races), race(self.events[self.races[0]]) if self.races else ""
        later = self.racing(self.races[0]) if self.races else ""
        if name:
            text = message(
                "Races in {name}: {count}. The first one, {later}: {first}.",
                name=name,
                count=count,
                later=later,
                first=first,
            )
        else:
            text = message("Races: {count}. The first one, {later}: {first}.", count=count, later=later, first=first)
        with saw(text):
            assert not self.races
