"""Whose is whose: the senders of a download and the students of the gradebook."""

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from nbgrader.api import Student

from ..core.names import some
from ..platforms.download import CollectError, HandedIn, Sender

NOBODY = "nobody in the gradebook has this LMS id, id, email address or name"
ANY_OF = "it may be that of {}"
TWICE = "{} fit {}, and only one of them can be theirs"


def match(
    handed_in: Sequence[HandedIn], students: Iterable[Student], chosen: Mapping[str, str]
) -> tuple[dict[str, HandedIn], dict[str, str]]:
    """Find the student of each sender.

    An LMS id, id or email address decides.  A name is asked only where they say nothing: of students without an LMS id,
    and of all if no LMS id occurs in the download.  Who cannot be told apart gets nobody's work.

    Args:
        handed_in: What came.
        students: Those of the gradebook.
        chosen: Students by sender, as a person said.

    Returns:
        What each student handed in, and why others are nobody's, by sender.

    Raises:
        CollectError: If a person named a sender or a student that there is not.
    """
    known = {student.id: student for student in students}
    senders = {one.sender.shown for one in handed_in}
    odd = [name for name in (*chosen, *chosen.values()) if name not in senders and name not in known]
    if odd:
        raise CollectError(f"--match: neither the download nor the gradebook knows {some(map(repr, odd))}.")
    who = _finder(handed_in, known, chosen)
    fits = {one.sender.shown: who(one.sender) for one in handed_in}
    whose: dict[str, list[HandedIn]] = defaultdict(list)
    unmatched: dict[str, str] = {}
    for one in handed_in:
        found = fits[one.sender.shown]
        if len(found) == 1:
            whose[next(iter(found))].append(one)
        else:
            unmatched[one.sender.shown] = ANY_OF.format(some(sorted(found))) if found else NOBODY
    for student, several in whose.items():
        if len(several) > 1:
            names = [one.sender.shown for one in several]
            unmatched |= dict.fromkeys(names, TWICE.format(some(map(repr, names)), student))
    for one in handed_in:
        if one.sender.shown in unmatched and one.sender.besides:
            unmatched[one.sender.shown] += f" ({one.sender.besides})"
    return {student: several[0] for student, several in whose.items() if len(several) == 1}, unmatched


def _finder(
    handed_in: Sequence[HandedIn], known: Mapping[str, Student], chosen: Mapping[str, str]
) -> Callable[[Sender], set[str]]:
    """A function that tells which students a sender may be; see :func:`match`."""
    by_key: dict[str, set[str]] = defaultdict(set)
    lms_ids = {student.lms_user_id for student in known.values() if student.lms_user_id}
    for student in known.values():
        for key in (student.id, student.lms_user_id, student.email):
            if key:
                by_key[key.casefold()].add(student.id)
    numbered = any(lms_ids.intersection(one.sender.ids) for one in handed_in)
    by_name: dict[str, set[str]] = defaultdict(set)
    for student in known.values():
        if not (numbered and student.lms_user_id):
            for name in _names(student):
                by_name[name].add(student.id)

    def who(sender: Sender) -> set[str]:
        if sender.shown in chosen:
            return {chosen[sender.shown]}
        found = {student for key in sender.ids for student in by_key.get(key.casefold(), ())}
        return found or set(by_name.get(squashed(sender.name), ()))

    return who


def squashed(name: str) -> str:
    """A name as Canvas writes it in file names: letters and digits alone."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", name).casefold()))


def _names(student: Student) -> set[str]:
    first, last = student.first_name or "", student.last_name or ""
    return {squashed(first + last), squashed(last + first)} - {""}
