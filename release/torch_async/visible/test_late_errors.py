"""How late_errors looks for the line at fault."""

import torch
from syncpoint_check import core, hint, saw

LINES = 3


def program(probe):
    """Call late_errors with a program in which no line is at fault."""
    x = torch.ones(2, 2, device="simgpu")

    def make_lines():
        def line():
            seen.mark("line")
            x @ x

        return [line] * LINES

    with probe.run() as seen:
        seen.call(probe.find("late_errors"), make_lines)
        seen.mark("end")
    return seen.report()


@core
@hint("An error is raised at the next wait. If there is a wait after every line, after which line is it raised?")
def test_waits_to_find_the_line(student):
    """late_errors waits for the program more than once."""
    events = list(student.results_gated.observe("program")["events"])
    kinds = [event.kind for event in events]
    events = events[: kinds.index("end")]
    waits = sum(bool(event.opened) for event in events)
    with saw(
        "Waits of late_errors for work: {waits}, in {lines} lines.", events, missing_wait=True, waits=waits, lines=LINES
    ):
        assert waits > 1
