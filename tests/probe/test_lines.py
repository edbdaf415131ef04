"""The lines of a student's cell in what is told of a race."""

import pytest

from syncpoint.engines.torch.events import Call
from syncpoint.graders import race
from syncpoint.graders.device_log import DeviceLog
from syncpoint.observe.outside_call import _lines

# Two operations on storage 7, in two streams that nothing orders.
RACE = [
    ["launch", 1, 0, "aten.mm.default", [], [7], {}, 0],
    ["launch", 2, 1, "aten.add.Tensor", [7], [8], {}, 0],
]


def reported(lines):
    log = DeviceLog(tuple(Call(RACE, {}, False, False, 0).with_lines(lines)), ())
    (place,) = log.races
    return f"{log.racing(place)} {race(log.events[place])}"


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ([], "add at the same time as mm"),
        ([(1, 3), (2, 5)], "add in line 5 at the same time as mm in line 3"),
        ([(2, 5)], "add in line 5 at the same time as mm"),  # the caller's own work has no line
        ([(1, 3), (2, 0)], "add at the same time as mm in line 3"),
        ([(2, 5), (1, 3)], "add in line 5 at the same time as mm in line 3"),  # as threads have sent them
    ],
)
def test_a_race_names_both_operations_and_their_lines(lines, sentence):
    assert reported(lines) == sentence


@pytest.mark.parametrize(
    "sent", [None, 5, "12", [1], [[1]], [[1, "2"]], [[1, -2]], [[1, 10**9]], [[True, 2]], {"1": 2}]
)
def test_lines_that_are_no_lines_are_none(sent):
    assert _lines(sent) == []
