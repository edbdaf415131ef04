"""get_mem() returns the resident memory of the process, now."""

from syncpoint.graders import core, hint, is_number, kind_of, misconception, saw, weight

MB, MIB, KIB = 1000**2, 1024**2, 1024
# MB, MiB, and kilobytes (as ps and /proc count them) divided by 1000.
UNITS = (MB, MIB, 1000 * KIB)
BLOCK = 64


def memory(student):
    """The number that get_mem returns."""
    returned = student.call("get_mem").returned
    with saw("get_mem returned {kind}.", kind=kind_of(returned)):
        assert is_number(returned), returned
    return float(returned)


def hold(student, mebibytes):
    """Let the student's process take this much more memory, in addition to its own."""
    student.observe("hold_memory", mebibytes=mebibytes)


@core
@weight(3)
@hint(
    "The number is not this process's resident memory in MB or MiB. Look at the unit, at the figure that you "
    "read, and at the process."
)
@misconception("memory-now")
def test_agrees_with_a_look_from_outside(student):
    """get_mem agrees with what the operating system reports for this process."""
    hold(student, BLOCK)
    hold(student, 0)
    before, figure, after = student.resident_bytes(), memory(student), student.resident_bytes()
    low, high = 0.95 * min(before, after), 1.05 * max(before, after)
    with saw("The figure is about {ratio:,.3f} times the resident memory in MiB.", ratio=figure * MIB / before):
        assert any(low <= figure * unit <= high for unit in UNITS), (before, figure, after)


@core
@hint(
    "More memory is in use, but get_mem does not show it: does it measure again at every call, and "
    "measure this process?"
)
@misconception("memory-now")
def test_grows(student):
    """The figure grows when more memory is in use."""
    before = memory(student)
    hold(student, BLOCK)
    figures = [memory(student), memory(student)]  # an old figure may come at every second call
    hold(student, 0)
    for during in figures:
        with saw("More memory was taken, and the figure changed by {change:+.0f}.", change=during - before):
            assert 0.8 * BLOCK < during - before < 1.3 * BLOCK, (before, during)


@core
@weight(2)
@hint("The figure must be what is in use now. A peak (ru_maxrss, VmHWM) never goes down.")
@misconception("memory-now")
def test_shrinks(student):
    """The figure goes down when memory is given back."""
    hold(student, BLOCK)
    during = memory(student)
    hold(student, 0)
    after = memory(student)
    with saw("Memory was given back, and the figure changed by {change:+.0f}.", change=after - during):
        assert 0.8 * BLOCK < during - after < 1.3 * BLOCK, (during, after)
