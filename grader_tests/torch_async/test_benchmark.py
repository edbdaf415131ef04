"""benchmark(work, clock) measures the work of the device: it was finished when the clock was read."""

import numpy as np
import pytest

from syncpoint.graders import array, core, hint, is_number, kind_of, misconception, saw, value, weight
from syncpoint.graders.device_log import NEVER, DeviceLog

MOST = 64  # readings
X, READINGS = 1, 3  # numbers in the log: of what the work squares, and of the readings


class Measured:
    """One call of the student's benchmark, with a clock that gives drawn numbers.

    Each reading is a look at the device: the log says from where on anybody could know it.
    ends: the places in the log of the two readings whose difference was returned, None if there are no such two.
    read: the place of each reading.
    """

    def __init__(self, student, sides=False):
        """sides: whether all work is on other streams; it takes a tenth of a millisecond then, or too little to see."""
        rng = np.random.default_rng()
        x, self.unit = rng.normal(size=(5, 5)), 1e-4 if sides else 1.0
        steps = rng.uniform(1, 2, size=MOST) * self.unit
        steps[1] *= not sides
        self.readings = np.cumsum(steps).tolist()
        seen = student.results_gated.observe(
            "timed",
            function="benchmark",
            x=array(x, device=1),
            z=array(x, device=1),
            readings=array(np.array(self.readings), device=1, look=True),
            sides=sides,
        )
        self.log, self.returned = DeviceLog.of(seen), seen["returned"]
        self.read = {number: places[0] for number, places in self.log.looks(READINGS).items()}
        self.ends = self._ends()

    def _ends(self):
        if not is_number(self.returned):
            return None
        for late, end in self.read.items():
            for early, start in reversed(self.read.items()):
                off = self.readings[late] - self.readings[early] - float(self.returned)
                if early < late and abs(off) < 1e-5 * self.unit:
                    return start, end
        return None

    @property
    def calls(self):
        """How many whole calls of work() lie between the two readings: its product, and what is made of that."""
        start, end = self.around
        products = self.log.readers(X)
        calls = [(one, *(user for y in one.outputs for user in self.log.readers(y))) for one in products]
        return sum(start < call[0].place and call[-1].place < end for call in calls)

    @property
    def around(self):
        """The two readings that count: those whose difference was returned, or else the first and the last one."""
        return self.ends or (min(self.read.values()), max(self.read.values()))

    def check_measured(self):
        """Fail unless work() was called between two readings."""
        with saw("Readings of the clock: {count}. Two are needed.", count=len(self.read)):
            assert len(self.read) >= 2
        with saw("Whole calls of work() between the two readings: {calls}. There should be one.", calls=self.calls):
            assert self.calls

    def check_answer(self):
        """Fail unless the difference of two readings was returned, with one call of work() between them."""
        with saw(
            "benchmark returned {kind}. Readings of the clock: {count}.",
            kind=kind_of(self.returned),
            count=len(self.read),
        ):
            assert is_number(self.returned)
        with saw("The number that benchmark returned is not the difference of two readings of the clock."):
            assert self.ends is not None
        with saw("Whole calls of work() between the two readings: {calls}. There should be one.", calls=self.calls):
            assert self.calls == 1

    def check_done(self, on_side=False):
        """Fail unless all that was enqueued between the two readings was computed at the second.

        elsewhere: whether there was also work on other streams; that on the current one has its own test.
        """
        self.check_measured()
        start, end = self.around
        pending = [one for one in self.log.between(start, end) if one.covered > end]
        with saw(
            "When the clock was read for the second time, work on another stream was not finished. "
            "Operations left: {count}."
            if on_side
            else "When the clock was read for the second time, the work was not finished. Operations left: {count}.",
            self.log.events,
            count=len(pending),
        ):
            assert not pending

    def check_older(self):
        """Fail unless all that was enqueued before the first reading was computed at it."""
        self.check_measured()
        start, _ = self.around
        older = [one for one in self.log.between(-1, start) if one.covered > start]
        with saw(
            "When the clock was read for the first time, older work was not finished. Operations left: {count}.",
            self.log.events,
            count=len(older),
        ):
            assert not older


def _holds(check):
    try:
        check()
    except AssertionError:
        return False
    return True


@pytest.fixture(scope="module")
def measured(student):
    """One call, with all the work on the current stream."""
    return Measured(student)


@pytest.fixture(scope="module")
def on_sides(student):
    """One call, with all work on other streams."""
    return Measured(student, sides=True)


@core
@weight(4)
@hint(
    "work() only enqueues. Between work() and the second reading of the clock something must wait for "
    "the device. torch.cpu.synchronize() does nothing, query() asks and does not wait, and an event "
    "covers only what was enqueued before it."
)
@misconception("clock-sees-the-work")
def test_finished_when_the_clock_was_read(measured):
    """When benchmark reads the clock for the second time, the device has finished the work."""
    measured.check_done()


@weight(2)
@hint("work() may use more than one stream. Which call waits for the whole device?")
@misconception("place-in-a-stream")
def test_every_stream_counts(on_sides):
    """Work on another stream also counts."""
    on_sides.check_done(on_side=True)


@weight(2)
@hint(
    "Work that was already queued does not belong to this measurement: wait for it before you read the "
    "clock for the first time."
)
@misconception("clock-sees-the-work")
def test_older_work_does_not_count(measured, on_sides):
    """When benchmark reads the clock for the first time, no older work is left to do."""
    measured.check_older()
    on_sides.check_older()


@value
@hint("Read clock() before and after one call of work(), and return the second reading minus the first.")
@misconception("reads-the-task")
def test_difference_of_two_readings(measured, on_sides):
    """It returns the difference of two readings around one call of work()."""
    measured.check_answer()
    on_sides.check_answer()


@value
@hint("Without a clock argument, measure in the same way with time.perf_counter.")
@misconception("reads-the-task")
def test_default_clock(student, rng, measured):
    """Without a clock argument, it returns a time in seconds that one call of work() can have taken."""
    least = float(rng.uniform(0.01, 0.02))
    x, z = array(np.eye(3), device=1), array(np.eye(3), device=1)
    seen = student.results_gated.observe("by_default", function="benchmark", x=x, z=z, seconds=least)
    log, returned = DeviceLog.of(seen), seen["returned"]
    with saw("Without a clock, benchmark returned {kind}.", kind=kind_of(returned)):
        assert is_number(returned)
    with saw("Without a clock, benchmark called work() {calls} times.", calls=len(log.readers(X))):
        assert log.readers(X)
    # Three readings of one clock, one around the other: work() lasts that long, and is called between the student's
    # readings, which stand between those of the scenario. However busy the machine is, this order holds.
    with saw("Without a clock, benchmark returned a time that one call of work() cannot have taken."):
        assert least <= returned <= seen["took"]
    # What it does not wait for with a clock either is another test's.
    if _holds(measured.check_older) and _holds(measured.check_answer):
        last = log.readers(X)[-1].place
        older = [one for one in log.between(-1, last) if one.covered > last]
        with saw(
            "Without a clock, older work was not finished when work() was measured. Operations left: {count}.",
            log.events,
            count=len(older),
        ):
            assert not older
    if _holds(measured.check_done):
        with saw("Without a clock, the work was not finished when benchmark returned.", log.events, missing_wait=True):
            assert all(one.covered < NEVER for one in log.operations)
