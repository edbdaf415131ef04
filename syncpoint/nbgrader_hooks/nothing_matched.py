"""Says what to do when nbgrader finds no notebook; nbgrader only names its pattern.

``c.Application.logging_config`` names the filter, because nbgrader looks for notebooks before it loads our classes.
"""

import logging
from pathlib import Path

from ..core.names import some

NOTHING, GUESS = "No notebooks were matched by", "Did you mean"
GENERATE = "GenerateAssignmentApp"
# For the commands that grade or give feedback: the result, and what to type.
NO_WORK = {
    "AutogradeApp": (
        "so nothing was graded",
        "Collect submissions with `nbgrader collect {0}` or `syncpoint collect FILE.zip {0}`.",
    ),
    "GenerateFeedbackApp": ("so no feedback was generated", "Grade the submissions first with `syncpoint grade {0}`."),
}


class NothingMatched(logging.Filter):
    """Replaces nbgrader's sentence, and drops its guess at what was meant."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Change the record; return False to hide it."""
        message = record.getMessage()
        if record.name != GENERATE and record.name not in NO_WORK:
            return True
        if message.startswith(NOTHING):
            folder = Path(message.removeprefix(NOTHING).strip(" '"))
            record.msg = no_release(folder) if record.name == GENERATE else _no_work(folder, *NO_WORK[record.name])
            record.args = ()
        return not message.startswith(GUESS)


def no_release(source: Path) -> str:
    """Return why a folder below source/ (which may be missing) gives no release, and what to type."""
    where, name = source.parent.name, source.name
    if there := sorted(path.name for path in source.glob("*.ipynb")):
        return f"{where}/{name} has no such notebook, so nothing was generated. It has: {', '.join(there)}."
    if source.is_dir():
        return f"{where}/{name} has no notebook, so nothing was generated. Create one with `syncpoint new`."
    others = ", ".join(sorted({path.parent.name for path in source.parent.glob("*/*.ipynb")})) or "none"
    return (
        f"{where}/{name} does not exist, so nothing was generated. {where}/ has {others}. Release one of them with "
        f"`nbgrader generate_assignment <assignment>`, or create a new one with `syncpoint new {name}`."
    )


def _no_work(work: Path, so: str, do: str) -> str:
    """Return whose work is missing, what these students submitted instead, and who else submitted."""
    place, student, assignment = work.parents[1], work.parent.name, work.name
    folders = {path.parent for path in place.glob("[!.]*/[!.]*/*.ipynb")}
    own = ", ".join(sorted({folder.name for folder in folders if folder.parent.match(student)}))
    if student == "*":
        there = f"{place.name}/ has {f'work for {own}' if own else 'no work'}."
    else:
        others = some(sorted(folder.parent.name for folder in folders if folder.name == assignment))
        there = (
            f"{place.name}/ has {f'work of {student} for {own}' if own else f'nothing of {student}'}; "
            f"for {assignment} it has {f'work of {others}' if others else 'no work'}."
        )
    shown = str(Path(*work.parts[-3:])).replace("*", "<student>", 1)
    return f"{shown} has no notebook, {so}. {there} {do.format(assignment)}"
