"""The status of a submission for its student, in a file with a secret name in the exchange."""

import contextlib
import hashlib
from collections.abc import Sequence
from datetime import UTC
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook

from ..check.status import note_name
from ..core.language import SOURCE, speaking
from ..core.messages import Message, words
from ..course.folder import Course
from ..course.intake import METADATA
from ..course.on_submission import Level, Rules
from ..exchange.notes import as_note, write_note
from ..judge.cells import is_autograded
from ..nbgrader_hooks.feedback_level import shorten, tries_shown
from ..nbgrader_hooks.feedback_release import secret_of
from ..records.database import one_transaction
from ..records.queue import BEFORE, COLLECTED, JUDGING, Wait
from ..records.student_details import languages
from ..records.tables import QueueEntry
from ..translations.catalogue import spoken


def secret_name(folder: Path, assignment: str) -> str:
    """Return the name of this submission's file; "" for work that did not come by the exchange."""
    secret = secret_of(folder)
    return note_name(secret, assignment) if secret else ""


class Notes:
    """A course's files, in a folder of the exchange that others cannot list.

    If it is shared, a group of graders may write there.
    """

    def __init__(self, course: Course, folder: Path, shared: bool):
        self._course, self._folder, self._shared = course, folder, shared
        self._digests: dict[str, bytes] = {}  # a digest of each file's content

    def write(
        self,
        one: QueueEntry,
        place: int,
        waiting: int,
        seconds: float | None,
        wait: Wait | None,
        troubled: bool,
        language: str,
    ) -> None:
        """Write the status of a submission.

        Its place among those waiting (0 for none), how many seconds it will wait (None if unknown), why it waits, or a
        problem on our side. The language is the student's; "" for that of the notebook in which it is read.
        """
        if one.shown:
            return  # see :meth:`finish`
        messages = [Message("status_written")]
        if troubled:
            messages = [Message("status_mended")]
        elif wait is not None:
            messages = held(wait, self._course.rules(one.assignment))
        elif one.state == JUDGING:
            messages = [Message("status_judging")]
        elif one.state == COLLECTED or not place:
            messages = [Message("status_collected")]
        elif one.state in BEFORE:
            messages = [Message("status_queued", {"place": _rounded(place), "all": _rounded(waiting)})]
            if seconds is not None:
                messages.append(Message("status_expected", {"minutes": max(1, round(seconds / 60))}))
        self._put(one, messages, language)

    def finish(self, gradebook: Gradebook, one: QueueEntry, level: Level) -> None:
        """Write the part of a submission's result that the student may see now."""
        messages = [Message("status_when_due")]
        reports: list[str] = []
        if level != "nothing":
            messages = [Message("status_released"), *([] if level == "all" else [Message("status_more_when_due")])]
            reports = self._reports(gradebook, one)
        with one_transaction(gradebook) as session:
            language = languages(session).get(one.student, "")
        self._put(one, messages, language, reports)
        self._digests.pop(one.note, None)  # it is not written again until there is more to report

    def _reports(self, gradebook: Gradebook, one: QueueEntry) -> list[str]:
        """Return the results of the release's notebooks; any other file there is the student's own."""
        reports: list[str] = []
        graded = self._course.root / "autograded" / one.student / one.assignment
        for released in sorted((self._course.root / "release" / one.assignment).glob("*.ipynb")):
            path = graded / released.name
            if not path.is_file():
                continue
            notebook = nbformat.read(path, as_version=4)
            language = spoken(self._course, str(notebook.metadata.get(METADATA, SOURCE)), one.assignment)
            with one_transaction(gradebook) as session, speaking(language):
                shorten(self._course, session, notebook, one.student, one.assignment, path.stem)
            reports += [
                output.data["text/html"]
                for cell in filter(is_autograded, notebook.cells)
                for output in cell.outputs
                if "text/html" in output.get("data", {})
            ]
        with one_transaction(gradebook) as session:
            chosen = languages(session).get(one.student) or self._course.settings_of(one.assignment).language
            with speaking(spoken(self._course, chosen, one.assignment)):
                history = tries_shown(self._course, session, one.student, one.assignment)
        return [*reports, *filter(None, [history])]

    def remove(self, name: str) -> None:
        """Remove a file, because newer work replaces it."""
        self._digests.pop(name, None)
        if name:
            with contextlib.suppress(OSError):
                (self._folder / name).unlink()

    def _put(self, one: QueueEntry, messages: list[Message], language: str, reports: Sequence[str] = ()) -> None:
        """Write the note unless it is unchanged; a damaged or lost note is written again at the next step."""
        name = one.note
        text = as_note(self._course, one.assignment, messages, reports, language)
        digest = hashlib.sha256(text.encode()).digest()
        if not name or self._digests.get(name) == digest:
            return
        write_note(self._folder, name, text, self._shared)
        self._digests[name] = digest


def _rounded(number: int) -> int:
    """Round a place of three or more digits, so that not every graded submission changes all notes."""
    step = 10 ** max(0, len(str(number)) - 2)
    return -(-number // step) * step


def held(wait: Wait, rules: Rules) -> list[Message]:
    """Return why a submission waits, in the course's own words if set, and what happens next, in fixed words."""
    if wait.reason == "closed":
        why = Message("status_closed")
    elif wait.reason == "late":
        why = Message("status_late")
    elif rules.spent:
        why = words(rules.spent)
    elif wait.reason == "quota":
        why = Message("status_quota", {"quota": rules.quota})
    else:
        why = Message("status_spent")
    if wait.until is not None:
        at = wait.until.replace(tzinfo=UTC).isoformat(timespec="seconds")
        return [why, Message("status_graded_at", {"at": at})]
    return [why, Message("status_graded_when_due" if rules.when_due == "all" else "status_left")]
