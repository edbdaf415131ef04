"""Benchmark(prefix) prints the wall time of its block."""

import random
import re

from syncpoint.graders import core, hint, misconception, saw, weight

# The printed figure is rounded, and a wall clock of the system may be slewed a little against ours.
TOLERANCE = 0.001


def some_time():
    """A number of seconds that only a clock can tell."""
    return random.uniform(0.03, 0.08)


def watch_block(student, *arguments, before_entry=0.0, body=0.0, nested=None, raises=False):
    """Use Benchmark(*arguments) once, around this many seconds, with the engine busy all the while."""
    return student.observe(
        "timed_blocks",
        function="Benchmark",
        arguments=list(arguments),
        before_entry=before_entry,
        body=body,
        nested=nested,
        raises=raises,
    )


def lines_of(seen):
    """The printed lines, with single spaces."""
    return [" ".join(line.split()) for line in seen["stdout"].splitlines() if line.strip()]


def check_prints(seen):
    """Fail unless something was printed: code that does nothing swallows no error and does not wait."""
    with saw("Nothing was printed for the block."):
        assert lines_of(seen)


def check_seconds(line, bracket):
    """Fail unless the last number of the line is between the shortest and the longest time."""
    numbers = re.findall(r"\d+\.?\d*", line)
    with saw("No number was printed for the block."):
        assert numbers, line
    seconds, (shortest, longest) = float(numbers[-1]), bracket
    with saw("The printed time is too short." if seconds < shortest else "The printed time is too long."):
        assert shortest - TOLERANCE <= seconds <= longest + TOLERANCE, (line, bracket)


def check_line(lines, form):
    """Fail unless one line was printed, of this form."""
    with saw("Lines printed: {count}.", count=len(lines)):
        assert len(lines) == 1, lines
    with saw("One line was printed, but not in the form of the exercise."):
        assert re.fullmatch(form, lines[0], re.IGNORECASE), lines


def word(rng):
    """A word that nobody can know, without digits."""
    return "".join(rng.choice(list("abcdefghijklmnopqrstuvwxyz"), size=8))


@hint("One line, as in the exercise: the prefix, the seconds with 4 decimals, and sec.")
@misconception("reads-the-task")
def test_line_with_prefix(student, rng):
    """With a prefix, one line is printed, in one of the two forms."""
    prefix = f"{word(rng)} % {{}} {word(rng)}"
    check_line(lines_of(watch_block(student, prefix)), rf"{re.escape(prefix)}( time)?: ?\d+\.\d{{4}} sec")


@hint("The prefix may be left out; then the line begins with time: or Done:.")
@misconception("reads-the-task")
def test_line_without_prefix(student):
    """Without a prefix, one line is printed, in one of the two forms."""
    check_line(lines_of(watch_block(student)), r"(time|done): ?\d+\.\d{4} sec")


@core
@weight(4)
@hint("Read a clock for wall time when the block is entered and again when it ends. The difference is in seconds.")
@misconception("clock-sees-the-work")
def test_seconds(student):
    """The printed time is that of the block: from entry to end, in seconds of wall-clock time."""
    # More than a second: code that reads only the part below it is found.
    seen = watch_block(student, before_entry=0.1, body=1 + some_time())
    check_seconds(" ".join(lines_of(seen)), seen["brackets"][0])


@core
@hint("Each Benchmark needs its own start: a name shared by all of them is overwritten by the inner one.")
@misconception("every-call-starts-anew")
def test_nests(student, rng):
    """A Benchmark inside another one: both times are right."""
    outer, inner = word(rng), word(rng)
    seen = watch_block(student, outer, body=some_time(), nested=[inner])
    for name, bracket in zip((outer, inner), seen["brackets"], strict=True):
        check_seconds(" ".join(line for line in lines_of(seen) if name in line), bracket)


@hint("__exit__ must not return True, and a generator must not catch what the block raises.")
@misconception("reads-the-task")
def test_exceptions_pass(student):
    """An error inside the block reaches the caller."""
    check_prints(watch_block(student))
    seen = watch_block(student, raises=True)
    with saw("The error did not reach the code around the block."):
        assert seen["passed_on"]


@core
@weight(2)
@hint("A clock that waits for the back end hides what it should show: look for waitall, asnumpy, wait_to_read.")
@misconception("clock-sees-the-work")
def test_does_not_wait(student, rng):
    """Benchmark never waits for the back end."""
    for arguments in [], [word(rng)]:
        seen = watch_block(student, *arguments)
        check_prints(seen)
        with saw("The engine's work was already done when the block ended, so something waited for it."):
            assert not seen["waited"]
