"""late_errors(make_lines) finds the line that raised, and the line that was at fault."""

import numpy as np
import pytest

from syncpoint.graders import array, core, hint, joined, kind_of, misconception, saw, value, weight
from syncpoint.graders.device_log import LOOK, DeviceLog

ROWS = 4  # of the table from which the lines of a program pick
PICK = "embedding"  # the operation that does it
TABLE, FIRST = 1, 2  # numbers in the log, of the table and of the first line's rows; after all rows: which lines wait


@pytest.fixture(scope="module")
def look(student):
    """``look(lines, fault, reader)``: the answer of late_errors for a program with this many lines, as a pair.

    at_once: whether the line at fault raises by itself, for its shapes do not fit.  one_function: whether all lines are
    one function.
    """
    rng = np.random.default_rng()

    def run(lines, fault, reader, at_once=False, one_function=False):
        rows = [rng.integers(0, ROWS, size=ROWS) for _ in range(lines)]
        if fault is not None:
            rows[fault][rng.integers(ROWS)] = 1000
        table = array(rng.normal(size=(ROWS, 3)), device=1)
        waits = [line == reader for line in range(lines)]
        waits = array(np.array(waits), device=1, look=True)
        wanted = [array(row, device=1) for row in rows]
        program = {"shape": fault if at_once else None, "one_function": one_function}
        seen = student.observe("late", function="late_errors", table=table, rows=wanted, waits=waits, **program)
        answer, log = seen["returned"], DeviceLog.of(seen)
        with saw("late_errors read data of the program that only the program's lines may use."):
            assert not _peeks(log, lines)
        if reader is not None and fault is not None:
            behind.append(sum(bool(log.readers(FIRST + line)) for line in range(reader + 1, lines)))
        with saw("late_errors returned {kind}.", kind=kind_of(answer)):
            assert isinstance(answer, (tuple, list)) and len(answer) == 2
        with saw("late_errors returned {kinds}.", kinds=joined(map(kind_of, answer))):
            assert all(line is None or (isinstance(line, (int, np.integer)) and line is not True) for line in answer)
        return tuple(answer)

    behind = run.behind = []  # of each program that fails: how many lines were called after the one that raises
    return run


@pytest.fixture(scope="module")
def found(look):
    """For some drawn programs: the answer of late_errors, and the right one."""
    return [(look(lines, fault, reader, *how), (reader, fault)) for lines, fault, reader, *how in _programs()]


@core
@weight(3)
@hint(
    "The line at fault is the first one after which a wait raises. Make the program again and run it once more,"
    " with a wait after each line. Before that, clear an error that the first run may have left behind."
)
@misconception("error-where-raised")
def test_line_at_fault(found):
    """It names the line that is at fault."""
    right = sum(answer[1] == fault for answer, (_, fault) in found)
    with saw("Of {count} programs, it named the line at fault in {right}.", count=len(found), right=right):
        assert right == len(found)


@core
@weight(2)
@hint("The line that raises is the one whose call raises when the program runs as it is, without a wait of your own.")
@misconception("error-where-raised")
def test_line_that_raised(found):
    """It names the line that raised."""
    right = sum(answer[0] == raised for answer, (raised, _) in found)
    with saw("Of {count} programs, it named the line that raised in {right}.", count=len(found), right=right):
        assert right == len(found)


@hint("If nothing fails, both are None.")
@misconception("reads-the-task")
def test_nothing_fails(look):
    """It returns (None, None) if nothing fails."""
    assert look(6, None, 4) == (None, None)


@value
@hint("If no line of the program waits, none raises. The error is there anyway: your own wait finds it.")
@misconception("error-where-raised")
def test_nobody_waits(look):
    """It names the line at fault of a program in which no line waits."""
    assert look(6, 2, None) == (None, 2)


@hint("The program ends at the line that raises: leave the loop there.")
@misconception("error-where-raised")
def test_ends_at_the_line_that_raises(found, look):
    """No line after the one that raises is called."""
    count = sum(look.behind)
    with saw("Lines that were called after the one that raises: {count}.", count=count):
        assert look.behind and not count


def _programs():
    """Drawn programs: how many lines, which is at fault, which raises, and whether that is at once.

    Line 0 is at fault in one of them, and the two are never as far from each other in all.  The last but one is long,
    and its line at fault raises by itself.  All lines of the last one are one function.
    """
    rng = np.random.default_rng()
    while True:
        found = []
        for lines in rng.permutation([6, 7, 8, 9]).tolist():
            fault = int(rng.integers(0, lines - 3))
            found.append((lines, fault, int(rng.integers(fault + 2, lines))))
        answer = [(fault, reader, reader - fault, lines - reader, lines - fault) for lines, fault, reader in found]
        if all(len(set(some)) > 1 for some in zip(*answer, strict=True)) and not all(fault for fault, *_ in answer):
            fault = int(rng.integers(2, 18))
            return [*found, (20, fault, fault), (7, 4, 4, True), (6, 2, 4, False, True)]


def _peeks(log, lines):
    """Whether a program's own arrays were read by more than its lines, which pick rows and then look whether to wait.

    Of the table itself only the first line picks; the others have what the line before has made of it.
    They are in the student's process, as all that a program is made of: code that finds them there need not run it.
    """
    rows, waits = range(FIRST, FIRST + lines), FIRST + lines
    looks = [event.label for event in log.events if event.kind == LOOK and event.inputs == (waits,)]
    return (
        any(set(log.reading(number)) - {PICK} for number in (TABLE, *rows))
        or bool(set(log.reading(waits)) - {LOOK})
        or any(FIRST not in one.inputs for one in log.readers(TABLE))
        or any(looks.count(str(line)) > log.reading(number)[PICK] for line, number in enumerate(rows))
    )
