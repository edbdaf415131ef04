"""A course's settings for its total (``c.CourseTotal``)."""

from typing import Any

from traitlets import Dict, Enum, Float, Integer, List, Unicode
from traitlets.config import Config, Configurable

from ..core.course_total import TotalRules
from ..core.names import some
from .errors import CourseError
from .traits import in_config

SECTION = "CourseTotal"


class CourseTotal(Configurable):
    """The rules for one total of all assignments, which is shown once any of these is set."""

    weights = Dict(
        value_trait=Float(),
        key_trait=Unicode(),
        help='The assignments that count, with their weights: {"async": 1, "multi_gpu": 2}. Default: all, equally.',
    ).tag(config=True)
    bonus = List(Unicode(), help="Assignments that only add to the total.").tag(config=True)
    once = List(
        List(Unicode()),
        help="Groups of assignments of which only the best counts, with the weight of the first: "
        '[["async", "async_np"]].',
    ).tag(config=True)
    drop_lowest = Integer(
        0,
        min=0,
        help="Number of assignments that do not count for a student: those without which the total is highest.",
    ).tag(config=True)
    excused = Enum(
        ("leave out", "zero"), "leave out", help="Whether excused work is left out or counts as 0 points."
    ).tag(config=True)


def total_rules(config: Config, known: set[str]) -> TotalRules:
    """Return the rules of a course, or raise CourseError."""
    traits = in_config(CourseTotal, config)
    named = [name for names in traits.once for name in names]
    for setting, names in (("weights", traits.weights), ("bonus", traits.bonus), ("once", named)):
        if unknown := sorted(set(names) - known):
            raise CourseError(f"c.CourseTotal.{setting} names {some(unknown)}: the course has {some(sorted(known))}.")
    if len(named) > len(set(named)):
        raise CourseError("c.CourseTotal.once names an assignment twice.")
    if any(weight <= 0 for weight in traits.weights.values()):
        raise CourseError("c.CourseTotal.weights must be above 0: leave out assignments that do not count.")
    weights = dict(traits.weights)
    for first, *others in filter(None, traits.once) if weights else ():
        if first not in weights:
            raise CourseError(
                f"c.CourseTotal.weights has no weight for {first}, the first in a list of c.CourseTotal.once."
            )
        weights |= dict.fromkeys(others, weights[first])
    once = tuple(map(tuple, traits.once))
    excused: Any = traits.excused
    return TotalRules(weights, frozenset(traits.bonus), once, traits.drop_lowest, excused)
