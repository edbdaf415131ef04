"""synchronous_loop(x, steps) waits in every step, asynchronous_loop(x, steps) once, after the last one."""

from contextlib import suppress
from itertools import pairwise

import numpy as np
import pytest
from tensors import check_made, check_on_device, check_values

from syncpoint.graders import ReplayedCall, StudentError, array, core, hint, kind_of, misconception, saw, value, weight
from syncpoint.graders.device_log import DeviceLog

FEW, MANY = 4, 8
DEEP = 1010  # steps: more than functions of Python may call one another
CALLS = (FEW, False), (FEW, True), (1, False)  # steps, and whether the call is another one; see `Loop`
SHAPE, LARGE = (4, 3), (30, 40)
SHAPES = (5,), (2, 3, 2), (5,)


class Loop:
    """One call of one of the student's loops, with an x of float64.

    aside: whether x is a large one of integers instead, the current stream is not the default one, and other work is
    pending on it and on another one.  steps_on_x: the operations of each step, which together read as much as all of x.
    """

    def __init__(self, student, name, steps, aside):
        self.name, self.steps = name, steps
        rng, self.again = np.random.default_rng(), ReplayedCall(None)
        if aside:
            self.x, z = rng.integers(-9, 9, size=LARGE), array(rng.normal(size=(3, 3)), device=1)
            x = array(self.x, device=1)
            self.seen = student.observe("beside_others", function=name, x=x, z=z, arguments=[steps])
            self.returned = self.seen["returned"]
        else:
            self.x, self.other = rng.normal(size=(2, *SHAPE))
            self.seen = student.call(name, array(self.x, device=1, dtype="float64"), steps)
            self.returned = self.seen.returned
            if steps == FEW:  # of the others, nobody asks for values
                self.again = student.replay(self.seen, {1: self.other})
        self.log = DeviceLog.of(self.seen)
        self.steps_on_x = self.log.whole_readings(1, self.x.size)
        self.places = [step[-1].place for step in self.steps_on_x]

    @property
    def backlogs(self):
        """How many steps are before each wait, and after the last."""
        ends = [-1, *self.log.waits, len(self.log.events)]
        return [sum(first < place < last for place in self.places) for first, last in pairwise(ends)]

    @property
    def standing(self):
        """For each step: how many were not waited for as it was enqueued, itself among them."""
        return [
            1 + sum(max(one.covered for one in earlier) > step[0].place for earlier in self.steps_on_x[:number])
            for number, step in enumerate(self.steps_on_x)
        ]

    def check_computed(self):
        """Fail unless y was computed when the loop returned it."""
        check_made(self.name, self.log, self.returned)
        with saw(
            "y was still in the queue when {name} returned it.", self.log.events, missing_wait=True, name=self.name
        ):
            assert self.log.is_done(self.returned.number)

    def check_value(self):
        """Fail unless it returned x + 1, and x is as it was."""
        self._check_value(self.seen, self.x)
        writers = self.log.writers(self.returned.number)
        last = self.places[self.steps - 1] if len(self.places) >= self.steps else 0  # other tests ask for each step
        with saw("{name} returned the result of an earlier step, not that of the last one.", name=self.name):
            assert not writers or writers[-1].place >= last
        self.again.check(self._check_value, self.other)

    def check_type(self):
        """Fail unless it returned x + 1 of the type of x."""
        check_on_device(self.name, self.returned)
        with saw("{name} returned a tensor of another type than x.", name=self.name):
            assert self.returned.values.dtype == self.x.dtype
        check_values(self.returned, self.x + 1)

    def check_made_by_the_device(self):
        """Fail if the value is right, but was not computed by the device in this call."""
        self.again.confirm(lambda: self._check_value(self.seen, self.x), self._check_value, self.other)

    def _check_value(self, seen, x):
        check_on_device(self.name, seen.returned)
        with saw("{name} returned a tensor of another type than x.", name=self.name):
            assert seen.returned.values.dtype == x.dtype
        check_values(seen.returned, x + 1)
        with saw("{name} changed x.", name=self.name):
            check_values(seen.inputs[0], x)
            assert not self.log.writers(1)  # not even for a while

    def check_steps(self):
        """Fail unless each step computes."""
        with saw(
            "{name} computed with the whole of x in {count} of {steps} steps.",
            count=len(self.places),
            steps=self.steps,
            name=self.name,
        ):
            assert len(self.places) >= self.steps


@pytest.fixture(scope="module")
def run(student):
    """``run(name, steps, aside=False, held=True)``: one call of the loop with a matrix; the same call runs once.

    held: whether every operation is, until it is waited for.  A thread that waits again and again takes long then.
    """
    loops = {}

    def call(name, steps, aside=False, held=True):
        key = name, steps, aside, held
        if key not in loops:
            loops[key] = Loop(student.results_gated if held else student, name, steps, aside)
        return loops[key]

    return call


@core
@weight(4)
@hint(
    "In synchronous_loop each y is waited for before the next one is enqueued. Is the wait inside the loop, and"
    " is it for this y? An event must be recorded after y."
)
@misconception("place-in-a-stream")
def test_synchronous_loop_waits_in_each_step(run, rng):
    """synchronous_loop: when a step begins, the previous step is computed."""
    few, steps = run("synchronous_loop", FEW), int(rng.integers(70, 90))
    check_waits_in_each_step(few, run("synchronous_loop", MANY))
    few.check_made_by_the_device()
    few, many = run("synchronous_loop", FEW, True), run("synchronous_loop", steps, True, held=False)
    try:
        check_waits_in_each_step(few, many)
    except AssertionError:  # a loop that asks for an answer which is there has not waited
        check_waits_in_each_step(few, run("synchronous_loop", steps, True))


def check_waits_in_each_step(few, many):
    """Fail unless in two runs of a loop each step was computed before the next one began."""
    in_a_step = (len(many.places) - len(few.places)) // (many.steps - few.steps)
    few.check_steps()
    many.check_steps()
    too_many = [sum(max(0, standing - in_a_step) for standing in loop.standing) for loop in (few, many)]
    with saw(
        "When a step was enqueued, up to {most} operations on x were in the queue, counting the new one.",
        many.log.events,
        most=max(many.standing),
    ):
        # What is done with x before the loop or after it is the same however many steps there are.
        outside = len(few.places) - in_a_step * FEW
        assert too_many[1] == too_many[0] and (outside or not too_many[0])


@core
@weight(4)
@hint(
    "In asynchronous_loop nothing may wait before all steps are in the queue. A number or a tensor that is sent to the "
    "device in each step is a copy from ordinary memory, and waits."
)
@misconception("wait-in-the-loop")
def test_asynchronous_loop_enqueues_all_steps(run, rng):
    """asynchronous_loop: all steps are in the queue before the first wait, however many there are."""
    for aside, steps in ((False, MANY), (True, int(rng.integers(205, 235)))):
        few, loop = run("asynchronous_loop", FEW, aside), run("asynchronous_loop", steps, aside)
        loop.check_steps()
        with saw(
            "Of {steps} steps, at most {most} were enqueued before a wait. The first wait: {first_wait}.",
            loop.log.events,
            most=max(loop.backlogs),
            steps=loop.steps,
            first_wait=loop.log.first_wait,
        ):
            assert max(loop.backlogs) >= loop.steps
            # All that more steps add stands before the same wait.
            assert max(loop.backlogs) - max(few.backlogs) == sum(loop.backlogs) - sum(few.backlogs)
    run("asynchronous_loop", FEW).check_made_by_the_device()
    with suppress(StudentError):  # whether it can take so many steps is for another test
        deep = run("asynchronous_loop", DEEP, held=False)
        with saw("Of {steps} steps, at most {most} were enqueued before a wait.", most=max(deep.backlogs), steps=DEEP):
            assert max(deep.backlogs) >= min(DEEP, len(deep.places))


@hint("What is there to wait for before the first step? The one wait comes after the loop.")
@misconception("wait-in-the-loop")
def test_asynchronous_loop_waits_after_the_loop(run):
    """asynchronous_loop does not wait before its first step."""
    for aside in (False, True):
        loop = run("asynchronous_loop", FEW, aside)
        with saw("No step of asynchronous_loop computed with the whole of x."):
            assert loop.places
        with saw("asynchronous_loop waited before its first step.", loop.log.events):
            assert loop.backlogs[0]


@core
@hint("synchronous_loop waits for each y after it was enqueued, including the last one.")
@misconception("call-means-done")
def test_synchronous_loop_is_computed(run):
    """When synchronous_loop returns, y is computed."""
    for steps, aside in CALLS:
        run("synchronous_loop", steps, aside).check_computed()


@core
@hint("After the loop, asynchronous_loop waits for the last y. event.wait() makes a stream wait, and not the host.")
@misconception("call-means-done")
def test_asynchronous_loop_is_computed(run):
    """When asynchronous_loop returns, y is computed."""
    for steps, aside in CALLS:
        run("asynchronous_loop", steps, aside).check_computed()


@value
@hint("Each step computes x + 1 from the same x, and the last result is returned.")
@misconception("reads-the-task")
def test_synchronous_loop_value(run):
    """synchronous_loop returns x + 1."""
    run("synchronous_loop", FEW).check_value()
    run("synchronous_loop", FEW, True).check_type()


@value
@hint("Each step computes x + 1 from the same x, and the last result is returned.")
@misconception("reads-the-task")
def test_asynchronous_loop_value(run):
    """asynchronous_loop returns x + 1."""
    run("asynchronous_loop", FEW).check_value()
    run("asynchronous_loop", FEW, True).check_type()


@hint("Each step computes x + 1 again.")
@misconception("work-not-done")
def test_synchronous_loop_steps(run):
    """synchronous_loop computes in each step."""
    run("synchronous_loop", MANY).check_steps()


@hint("Each step computes x + 1 again.")
@misconception("work-not-done")
def test_asynchronous_loop_steps(run):
    """asynchronous_loop computes in each step."""
    run("asynchronous_loop", MANY).check_steps()
    run("asynchronous_loop", DEEP, held=False).check_steps()


@hint(
    "x + 1 needs no shape. Which of your lines asks for the number of axes or rows of x? And a result that the caller "
    "keeps must not change in the next call."
)
@misconception("reads-the-task")
def test_any_axes(student, rng):
    """Both loops return a new tensor like x for an x with any number of axes."""
    for name in ("synchronous_loop", "asynchronous_loop"):
        xs = [array(rng.normal(size=shape), device=1, dtype="float64") for shape in SHAPES]
        seen = student.results_gated.observe("read_behind", function=name, xs=xs, arguments=[FEW])
        for shape, returned in zip(SHAPES, seen["returned"], strict=True):
            check_on_device(name, returned)
            with saw("{name} returned a tensor of another shape than x.", name=name):
                assert returned.values.shape == (*shape[1:], shape[0])
        first, _, last = seen["returned"]
        with saw("{name} returned the same tensor in several calls.", name=name):
            assert first.number != last.number


@hint("For 0 steps there is no y: both loops return None then.")
@misconception("reads-the-task")
def test_no_steps(run):
    """Both loops return None for 0 steps."""
    for name in ("synchronous_loop", "asynchronous_loop"):
        with saw("For {steps} steps, {name} returned nothing.", steps=FEW, name=name):
            assert run(name, FEW).returned is not None
        returned = run(name, 0).returned
        with saw("For 0 steps, {name} returned {kind}.", name=name, kind=kind_of(returned)):
            assert returned is None
