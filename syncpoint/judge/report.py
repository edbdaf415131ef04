"""The feedback report of one exercise: HTML without scripts, everything that is not ours escaped."""

from html import escape

from .verdict import Outcome, Verdict

STYLE = {
    "box": "font-family:sans-serif;font-size:14px;line-height:1.45;max-width:52em;border:1px solid #8888;"
    "border-radius:6px;padding:.7em 1em;margin:.3em 0",
    "head": "display:flex;justify-content:space-between;font-weight:600;margin-bottom:.4em",
    "bar": "height:6px;border-radius:3px;background:#8884;margin-bottom:.6em",
    "row": "display:flex;gap:.6em;padding:.25em 0;border-top:1px solid #8883",
    "more": "opacity:.85;font-size:13px",
    "note": "background:#f5a62326;border-radius:4px;padding:.3em .6em;margin:.3em 0",
}
GREEN, AMBER, RED = "#2e9e5b", "#d98e04", "#d64545"


def render(verdict: Verdict, banner: str = "") -> str:
    """The report of a verdict.  ``banner`` is a sentence of the operator's for every report."""
    share = verdict.points / verdict.max_points if verdict.max_points else 0.0
    colour = GREEN if share == 1 else RED if share == 0 else AMBER
    name = verdict.exercise.removeprefix("test_")
    parts = [
        f'<div style="{STYLE["box"]}">',
        f'<div style="{STYLE["head"]}"><span>{escape(name)}</span>'
        f'<span style="color:{colour}">{verdict.points:g} of {verdict.max_points:g} points</span></div>',
        f'<div style="{STYLE["bar"]}"><div style="height:6px;border-radius:3px;background:{colour};'
        f'width:{100 * share:.0f}%"></div></div>',
    ]
    parts += [f'<div style="{STYLE["note"]}">{escape(note)}</div>' for note in (banner, *verdict.notes) if note]
    parts += [_row(outcome) for outcome in verdict.outcomes]
    return "\n".join([*parts, "</div>"])


def _row(outcome: Outcome) -> str:
    mark, colour = ("✓", GREEN) if outcome.passed else ("✗", RED)
    worth = "" if outcome.weight == 1 else f' <span style="{STYLE["more"]}">(counts {outcome.weight:g} times)</span>'
    lines = [f"<div>{escape(outcome.title)}{worth}</div>"]
    if not outcome.passed:
        texts = (outcome.message, outcome.hint)
        lines += [f'<div style="{STYLE["more"]}">{escape(text)}</div>' for text in texts if text]
    return (
        f'<div style="{STYLE["row"]}"><span style="color:{colour};font-weight:600" '
        f'title="{"passed" if outcome.passed else "not passed"}">{mark}</span><div>{"".join(lines)}</div></div>'
    )
