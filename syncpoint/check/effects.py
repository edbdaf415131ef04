"""The order, waits, numbers and memory of a run of student code, as data, and the effects of a change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..core.messages import Message
from ..observe.device_log import DeviceLog, Operation
from ..observe.vocabulary import AGAIN, BESIDE
from ..probe.serialization import EngineArray
from ..probe.trace import Event

Place = tuple[int, str]  # a line of the student's cell (0 for the caller's code) and an operation
MOST_PLACES, MOST_RACES = 2, 2  # pairs of lines and races that are named
BEGIN, END = "begin", "end"  # a scenario's marks around the student's code


@dataclass(frozen=True)
class Race:
    """Two uses of the same memory that nothing orders."""

    again: bool  # whether the memory was allocated again while the earlier one may still use it
    earlier: Place  # their places
    later: Place


@dataclass(frozen=True)
class Facts:
    """The data of one run of an exercise by its what-if."""

    error: Message | None = None  # the code's exception, or None; with an exception, the rest is empty
    results: tuple[Any, ...] = field(default=(), compare=False)  # the numbers that the caller read
    races: tuple[Race, ...] = ()  # each pair of places once
    # where the host first waited, in students' words, and how many operations it had enqueued by then; None if it did
    # not wait
    first_wait: tuple[str, int] | None = None
    waits: int = 0  # how often it waited for something
    unfinished: int = 0  # operations of the call that might not have finished when the call returned
    operations: int = 0  # how many operations the call had
    # pairs of places whose operations may run at the same time, with the number of such pairs; empty for an engine
    # without streams, which orders operations by their data
    beside: Mapping[tuple[Place, Place], int] = field(default_factory=dict)
    peak: int = 0  # the most bytes that its arrays took on all devices together, if the engine's process reports it
    places: frozenset[Place] = field(default=frozenset(), compare=False)  # where the operations of the call are
    events: tuple[Event, ...] = field(default=(), compare=False)  # the log between the marks
    threads: bool = False  # whether the code runs in several threads, so that the log shows one order of many


def facts(seen: Mapping[str, Any], old: Callable[[int], int] = lambda line: line) -> Facts:
    """Read a what-if's report: a dict with a log that has the marks `begin` and `end`, and "results".

    If "threads" is true, code runs in several threads of the host, and their order is not fixed.  What the host has
    enqueued at some moment, the memory in use, and what one thread's wait orders are then not determined, and are left
    out.  ``old`` gives the number that a line had before the code was changed.
    """
    log = DeviceLog.of(seen)
    kinds = [event.kind for event in log.events]
    begin, end = (kinds.index(mark) if mark in kinds else len(kinds) for mark in (BEGIN, END))
    own = log.between(begin, end)
    events = log.events[begin + 1 : end]

    def place_of(place: int, event: Event) -> Place:
        return old(event.line) if begin < place < end else 0, event.label

    places = {one.place: place_of(one.place, log.events[one.place]) for one in log.operations}
    waits = [place for place in log.waits if begin < place < end]
    first = waits[0] if waits else 0
    enqueued = len(log.between(begin, first))
    threads, streams = seen.get("threads") is True, "memory" in seen
    return Facts(
        results=tuple(seen.get("results") or ()),
        races=_races(log, places, old),
        first_wait=(log.events[first].label, enqueued) if waits and not threads else None,
        waits=len(waits),
        unfinished=0 if threads else sum(one.covered > end for one in own),
        operations=len(own),
        beside=_beside(log, own, places) if streams and not (threads and waits) else {},
        peak=0 if threads else sum(device.peak for device in (seen.get("memory") or {}).values()),
        places=frozenset(places[one.place] for one in own),
        events=events,
        threads=threads,
    )


def _races(log: DeviceLog, places: Mapping[int, Place], old: Callable[[int], int]) -> tuple[Race, ...]:
    found = []
    enqueued = [place for place, event in enumerate(log.events) if event.kind == "enqueue"]
    for place in log.races:
        event, later = log.events[place], max((one for one in enqueued if one < place), default=-1)
        name = event.label[len(AGAIN) :] if event.label.startswith(AGAIN) else event.label[len(BESIDE) :]
        again = event.label.startswith(AGAIN)
        if again:  # the memory is allocated for the next operation
            later = min((one for one in enqueued if one > place), default=later)
        found.append(Race(again, (old(event.line), name), places.get(later, (0, ""))))
    return tuple(sorted(set(found), key=repr))


def _beside(log: DeviceLog, own: Sequence[Operation], places: Mapping[int, Place]) -> dict[tuple[Place, Place], int]:
    count: Counter[tuple[Place, Place]] = Counter()
    for number, one in enumerate(own):
        for other in own[number + 1 :]:
            if one.stream != other.stream and log.beside(one, other):
                first, second = sorted((places[one.place], places[other.place]))
                count[first, second] += 1
    return dict(count)


@dataclass(frozen=True)
class Difference:
    """The effects of a change of the code, as data.

    Attributes:
        before, after: The two runs.
        only_waits: Whether only a wait or an order is removed or moved, so that wrong numbers are bad luck.
        right: Whether the changed code gives the numbers of the original, whatever runs first.
    """

    before: Facts
    after: Facts
    only_waits: bool = False

    @property
    def same_numbers(self) -> bool:
        return same(self.before.results, self.after.results)

    @property
    def right(self) -> bool:
        return self.after.error is None and self.same_numbers and not self.new_races

    @property
    def new_races(self) -> tuple[Race, ...]:
        return tuple(race for race in self.after.races if race not in self.before.races)

    @property
    def same_operations(self) -> bool:
        return self.before.operations == self.after.operations

    @property
    def kind(self) -> str:
        """The kind of the effect: "breaks", "order", "memory" or "nothing"."""
        if not self.right:
            return "breaks"
        if self._reordered():
            return "order"
        return "memory" if self.before.peak != self.after.peak else "nothing"

    def _reordered(self) -> bool:
        """Whether the host waits differently, or other operations may run at the same time.

        That there are more or fewer operations, all of them as finished as before, is no other order.
        """
        one, other = self.before, self.after
        if one.waits != other.waits or one.beside != other.beside:
            return True
        if self.same_operations:
            return (one.first_wait, one.unfinished) != (other.first_wait, other.unfinished)
        labels = [run.first_wait and run.first_wait[0] for run in (one, other)]
        finished = [run.operations - run.unfinished for run in (one, other)]
        return labels[0] != labels[1] or (one.unfinished != other.unfinished and finished[0] != finished[1])

    @property
    def answer(self) -> tuple[Any, ...]:
        """The parts that do not depend on the inputs' numbers."""
        after = self.after
        if after.error is not None:
            return "breaks", _error(after.error)
        # In a race the numbers are right only by chance.
        return (self.kind, self.same_numbers or bool(self.new_races), *_plain(self.before), *_plain(after))

    def sentences(self) -> list[Message]:
        """Return the answer in words, the most important part first."""
        if self.after.error is not None:
            return [self.after.error]
        if self.kind == "nothing" and self.same_operations:
            return [Message("what_if_nothing")]
        if not self.right:  # what else differs in a program that is wrong teaches nothing
            return [self._numbers(), *map(_race, self._telling_races()), *self._first_wait()]
        return [Message("what_if_right"), *self._waits(), *self._operations(), *self._order(), *self._memory()]

    def _telling_races(self) -> list[Race]:
        """Return races in different places: a second one at the same place says little."""
        found: list[Race] = []
        for race in self.new_races:
            if not any({race.earlier, race.later} & {one.earlier, one.later} for one in found):
                found.append(race)
        return found[:MOST_RACES]

    def _numbers(self) -> Message:
        return Message("what_if_sometimes" if self.new_races or self.only_waits else "what_if_wrong")

    def _first_wait(self) -> list[Message]:
        one, other = self.before, self.after
        if one.first_wait == other.first_wait:
            return []
        return [Message.of("what_if_wait", before=_wait(one), after=_wait(other))]

    def _waits(self) -> list[Message]:
        one, other = self.before, self.after
        found = self._first_wait()
        if one.waits != other.waits and not (found and {one.waits, other.waits} == {0, 1}):
            found.append(Message.of("what_if_waits", before=one.waits, after=other.waits))
        # If all operations may be unfinished, before and after, their numbers say the same.
        if one.unfinished != other.unfinished and not all(run.unfinished == run.operations for run in (one, other)):
            found.append(Message.of("what_if_unfinished", before=one.unfinished, after=other.unfinished))
        return found

    def _operations(self) -> list[Message]:
        one, other = self.before.operations, self.after.operations
        return [] if self.same_operations else [Message.of("what_if_operations", before=one, after=other)]

    def _order(self) -> list[Message]:
        one, other = self.before.beside, self.after.beside
        differ = sorted({*one, *other}, key=lambda pair: (-abs(one.get(pair, 0) - other.get(pair, 0)), pair))
        both = self.before.places & self.after.places  # nothing is said about an operation that is gone
        found = []
        for pair in [pair for pair in differ if one.get(pair) != other.get(pair) and both.issuperset(pair)]:
            before, after = one.get(pair, 0), other.get(pair, 0)
            code = "what_if_ordered" if not after else "what_if_beside" if not before else "what_if_fewer"
            found.append(Message.of(code, pair=_pair(*pair), before=before, after=after))
        return found[:MOST_PLACES]

    def _memory(self) -> list[Message]:
        one, other = self.before.peak, self.after.peak
        return [Message.of("what_if_peak", before=one / 1024, after=other / 1024)] if one != other else []


def _error(message: Message) -> tuple[str, str]:
    """Return an error's kind without its text."""
    inner = message.parameters.get("error")
    return message.code, str(inner.parameters.get("type", "")) if isinstance(inner, Message) else ""


def same(one: Sequence[Any], other: Sequence[Any]) -> bool:
    """Whether two runs read the same numbers."""
    if len(one) != len(other):
        return False
    return all(_equal(*pair) for pair in zip(one, other))


def _equal(one: Any, other: Any) -> bool:
    first, second = (value.values if isinstance(value, EngineArray) else value for value in (one, other))
    if isinstance(first, (list, tuple)) and isinstance(second, (list, tuple)):
        return same(first, second)
    try:
        first, second = np.asarray(first), np.asarray(second)
        if first.dtype.kind not in "biuf" or second.dtype.kind not in "biuf":
            return first.dtype.kind == second.dtype.kind and bool(np.array_equal(first, second))
        return first.shape == second.shape and bool(np.allclose(first, second, rtol=1e-4, atol=1e-5))
    except (TypeError, ValueError):
        return False


def _plain(one: Facts) -> tuple[Any, ...]:
    beside = tuple(sorted(one.beside.items()))
    return one.races, one.first_wait, one.waits, one.unfinished, one.operations, beside, one.peak


def _named(place: Place) -> Message:
    line, name = place
    if not line:
        return Message.of("operation_of_caller", operation=name)
    return Message.of("operation_in_line", operation=name, line=line)


def _pair(first: Place, second: Place) -> Message:
    if first == second:
        return Message.of("pair_in_place", place=_named(first))
    return Message.of("pair_of_places", first=_named(first), second=_named(second))


def _wait(one: Facts) -> Message:
    if one.first_wait is None:
        return Message("what_if_no_wait")
    label, count = one.first_wait
    return (
        Message.of("what_if_wait_in", name=label, count=count)
        if label
        else Message.of("what_if_wait_hidden", count=count)
    )


def _race(race: Race) -> Message:
    code = "what_if_again" if race.again else "what_if_race"
    return Message.of(code, earlier=_named(race.earlier), later=_named(race.later))
