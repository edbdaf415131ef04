"""Says what there is to do where nbgrader finds no notebook, and says itself only with which pattern it looked.

``c.Application.logging_config`` names the filter: nbgrader looks for notebooks before it makes anything of ours.
"""

import logging
from collections.abc import Iterable
from pathlib import Path

from ..core.names import some

NOTHING = "No notebooks were matched by"
GUESS = "Did you mean"


class NothingMatched(logging.Filter):
    """Puts a sentence of ours in the place of nbgrader's, and drops its guess at what was meant."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Change the record; False for one that is not to be seen."""
        say = SENTENCES.get(record.name)
        said = record.getMessage()
        if say and said.startswith(NOTHING):
            record.msg, record.args = say(Path(said.removeprefix(NOTHING).strip(" '"))), ()
        return not (say and said.startswith(GUESS))


def no_release(source: Path) -> str:
    """Why no release is made of a folder below source/, and what to type.

    Args:
        source: The folder, which may not be there.
    """
    where, name = source.parent.name, source.name
    if there := _notebooks(source):
        return f"{where}/{name} has no such notebook, so nothing was made. It has: {', '.join(there)}."
    if source.is_dir():
        return f"{where}/{name} has no notebook, so nothing was made of it. `syncpoint new` writes one."
    others = _names(folder.name for folder in source.parent.glob("*") if _notebooks(folder))
    return (
        f"{where}/{name} is not there, so nothing was made. {where}/ has {others}. "
        f"`nbgrader generate_assignment <assignment>` releases one of them, `syncpoint new {name}` begins a new one."
    )


def _not_handed_in(work: Path) -> str:
    return (
        f"{_place(work)} has no notebook, so nothing was graded. {_there(work)} "
        f"`nbgrader collect {work.name}` and `syncpoint collect FILE.zip {work.name}` bring work there."
    )


def _not_graded(work: Path) -> str:
    return (
        f"{_place(work)} has no notebook, so there is nothing to give feedback on. {_there(work)} "
        f"`syncpoint grade {work.name}` grades what was handed in."
    )


SENTENCES = {
    "GenerateAssignmentApp": no_release,
    "AutogradeApp": _not_handed_in,
    "GenerateFeedbackApp": _not_graded,
}


def _place(work: Path) -> str:
    return str(Path(*work.parts[-3:])).replace("*", "<student>", 1)


def _there(work: Path) -> str:
    """For which assignments there is work of whom was asked for; if that is not everybody, whose there is for this."""
    place, student, assignment = work.parents[1], work.parent.name, work.name
    folders = [folder for folder in place.glob("[!.]*/[!.]*") if _notebooks(folder)]
    known = {folder.name for folder in folders if folder.parent.match(student)}
    if student == "*":
        return f"There is work for {_names(known)}." if known else "There is no work at all."
    of_student = f"work of {student} for {_names(known)}" if known else f"nothing of {student}"
    students = sorted({folder.parent.name for folder in folders if folder.name == assignment})
    others = f"work of {some(students)}" if students else "nothing of anybody"
    return f"{place.name}/ has {of_student}; for {assignment} it has {others}."


def _notebooks(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.ipynb"))


def _names(found: Iterable[str]) -> str:
    return ", ".join(sorted(set(found))) or "none"
