"""The feedback report of one exercise, as HTML without scripts (its templates escape all values) and as text."""

import textwrap

from jinja2 import Environment, PackageLoader

from ..core.messages import say
from ..core.results import ExerciseResult, exercise_name
from .background import Background
from .html import NOTHING, Html, coded
from .misconceptions_page import Misconception
from .row import AMBER, GREEN, RED, STYLE, plain_row, row, wrapped

BARE = Background()
TEMPLATES = Environment(
    loader=PackageLoader("syncpoint.report", "."), autoescape=True, trim_blocks=True, auto_reload=False
)


def render(exercise: ExerciseResult, background: Background = BARE, legend: set[str] | None = None) -> str:
    """Return the report of an exercise as HTML.

    A section that explains several tests is below the first of them; what is in ``legend`` is not explained again.
    """
    legend = set() if legend is None else legend
    share = exercise.points / exercise.max_points if exercise.max_points else 0.0
    rows, explained = [], set[str]()
    for test in exercise.tests:
        section = background.explains(test)
        box = _box(section, background.url) if section and section.slug not in explained else NOTHING
        rows.append(row(test, legend, box))
        explained.add(test.misconception)
    return TEMPLATES.get_template("exercise.html").render(
        style=STYLE,
        name=exercise_name(exercise.name),
        color=GREEN if share == 1 else RED if share == 0 else AMBER,
        percent=100 * share,
        points=_points(exercise),
        notes=_notes(exercise, background),
        sums=_sum(exercise),
        rows=rows,
    )


def _box(section: Misconception, url: str) -> Html:
    words = {"summary": say("belief_summary"), "whole_page": say("whole_page")}
    title = coded(section.title, style=STYLE["code"])
    template = TEMPLATES.get_template("misconception.html")
    return Html(template.render(style=STYLE, title=title, section=section, url=url, **words))


def plain(exercise: ExerciseResult, background: Background = BARE) -> str:
    """Return the same report as plain text, with the sections below the tests."""
    lines = [say("labelled", label=exercise_name(exercise.name), text=_points(exercise))]
    lines += [wrapped(note, "  ! ") for note in _notes(exercise, background)]
    lines += [wrapped(sentence, "  ") for sentence in _sum(exercise)]
    for test in exercise.tests:
        lines += plain_row(test)
    sections = {s.slug: s for s in map(background.explains, exercise.tests) if s}
    lines += ["", "  " + say("labelled", label=say("belief_summary"), text="").rstrip()] if sections else []
    for section in sections.values():
        lines += ["", f"  {section.title}"]
        for words, picture in section.parts:
            lines += [wrapped(words, "  "), "", textwrap.indent(picture.rstrip(), "      ")]
        page = say("labelled", label=say("whole_page"), text=f"{background.url}#{section.slug}")
        lines += ["", f"  {page}"] if background.url else []
    return "\n".join(lines)


def _points(exercise: ExerciseResult) -> str:
    return say("points", points=exercise.points, most=exercise.max_points)


def _notes(exercise: ExerciseResult, background: Background) -> list[str]:
    return [note for note in (background.banner, *map(str, exercise.notes)) if note]


def _sum(exercise: ExerciseResult) -> list[str]:
    """Explain the points if some are missing and half of them depend on core tests, and which limit lowered them."""
    if exercise.core_passed is None or exercise.points == exercise.max_points:
        return []
    half = exercise.max_points / 2
    core = half if exercise.core_passed else 0.0
    most = exercise.max_points
    found = [say("half_for_core", half=half, most=most, core=core, shared=exercise.points - core)]
    if exercise.limited:
        by_value = any(test.value and test.weight and not test.passed for test in exercise.tests)
        found.append(say("value_limits") if by_value else say("failure_limits"))
    return found
