"""Group work: whose submission counts for a member of a group who has submitted none.

Anybody can write any name into group.txt, so a partner gets a mark only if the roster confirms the group, or if all
partners name each other.
A member's own work is never replaced.
"""

import os
import re
import stat
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from ..core.names import some
from ..course.intake import PARTNERS

MAX_FILE_BYTES, MAX_PARTNERS = 10_000, 50  # bytes of a group.txt, and number of partners in it
UNKNOWN = "{student} names {partner!r} in {file}, but the gradebook has no such student: nobody else is affected."
NOT_CONFIRMED = (
    "{student} names {partner} in {file}, but {why}: {partner} does not get a mark for {student}'s work. Put both into "
    "one group in the roster, or ask {partner} to name {student}."
)
OTHER_GROUP = "the roster does not have them in one group"
NOT_BACK = "not all partners name each other"
LEFT_OUT = "{partner} names others"
SEVERAL = (
    "{students} are partners and submitted different work: each gets the score of their own work. To give all of them "
    "the score of one submission, remove the other folders from submitted/."
)
FORMER = (
    "{student}: the work in submitted/ is that of the group {was}, and counts for nobody else of the group {now}. If "
    "{now} has submitted, collect its work with --replace."
)
SHARED = "{partners}: graded with the work of {student}, as one group."


@dataclass
class GroupWork:
    """The groups' submissions for an assignment."""

    # the student whose work counts for a student without work of their own
    sources: dict[str, str] = field(default_factory=dict)
    # sentences for the person who grades, each with the students that it is about
    notes: list[tuple[frozenset[str], str]] = field(default_factory=list)

    def about(self, students: set[str]) -> list[str]:
        """Return the sentences about any of these students."""
        return [sentence for concerned, sentence in self.notes if concerned & students]

    def note(self, sentence: str, *students: str) -> None:
        """Add a sentence unless it exists."""
        if (entry := (frozenset(students), sentence)) not in self.notes:
            self.notes.append(entry)


@dataclass(frozen=True)
class SubmittedFolder:
    """A folder in submitted/."""

    folder: Path
    empty: bool  # whether it has nothing apart from the release: it only names partners, or has no work
    time: datetime | None  # UTC; None if it is not known
    partners: frozenset[str] | None  # the partners in its group.txt; None without one
    group: str = ""  # the group in the roster when this was collected as that group's work


def read_partners(folder: Path) -> frozenset[str] | None:
    """Return the ids in a submission's group.txt, by line or comma; None without such a text."""
    try:
        handle = os.open(folder / PARTNERS, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(handle, "rb") as file:
            content = file.read(MAX_FILE_BYTES + 1) if stat.S_ISREG(os.fstat(handle).st_mode) else b""
        text = content.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return None
    names = [name.strip() for name in re.split(r"[\n,;]", text)]
    names = [name for name in names if name and name.isprintable()]
    return frozenset(names) if len(content) <= MAX_FILE_BYTES and len(names) <= MAX_PARTNERS else None


def share_out(
    submitted: Mapping[str, SubmittedFolder],
    groups: Mapping[str, str],
    known: Collection[str],
    same: Callable[[Path, Path], bool],
) -> GroupWork:
    """Decide whose work counts for whom; ``same`` compares the work in two folders."""
    found = GroupWork()
    offers: dict[str, list[str]] = {}
    for student in sorted(submitted):
        if submitted[student].empty:
            continue
        if was := _former_group(student, submitted, groups):
            found.note(FORMER.format(student=student, was=was, now=groups[student]), student)
        for partner in sorted(_named(student, submitted, groups)):
            why = _why_not(student, partner, submitted, groups)
            if partner not in known:
                found.note(UNKNOWN.format(student=student, partner=partner, file=PARTNERS), student)
            elif why:
                text = NOT_CONFIRMED.format(student=student, partner=partner, file=PARTNERS, why=why)
                found.note(text, student, partner)
            else:
                offers.setdefault(partner, []).append(student)
    for student, partners in offers.items():
        own = student in submitted and not submitted[student].empty
        all_of_them = sorted([*partners, *[student] * own], key=lambda one: (submitted[one].time or datetime.min, one))
        newest = all_of_them[-1]
        if any(not same(submitted[one].folder, submitted[newest].folder) for one in all_of_them):
            found.note(SEVERAL.format(students=some(sorted(all_of_them))), *all_of_them)
        if not own:
            found.sources[student] = newest
    for source in sorted({*found.sources.values()}):
        members = sorted(student for student, of in found.sources.items() if of == source)
        found.note(SHARED.format(partners=some(members), student=source), source, *members)
    return found


def _former_group(student: str, submitted: Mapping[str, SubmittedFolder], groups: Mapping[str, str]) -> str:
    """Return the group whose work this is, if the student is in another one now."""
    was = submitted[student].group
    return was if student in groups and was != groups[student] else ""


def _named(student: str, submitted: Mapping[str, SubmittedFolder], groups: Mapping[str, str]) -> set[str]:
    """Return those for whom a student submits: named partners, else the rest of their group in the roster."""
    partners = submitted[student].partners
    if partners is None and student in groups and not _former_group(student, submitted, groups):
        partners = frozenset(other for other, group in groups.items() if group == groups[student])
    return set(partners or ()) - {student}


def _why_not(student: str, partner: str, submitted: Mapping[str, SubmittedFolder], groups: Mapping[str, str]) -> str:
    """Return why a partner gets nothing; "" if the roster confirms them, or all partners name each other."""
    theirs = submitted[partner].partners if partner in submitted else None
    if student in groups or partner in groups:
        if groups.get(student) != groups.get(partner):
            return OTHER_GROUP
        return LEFT_OUT.format(partner=partner) if theirs is not None and student not in theirs else ""
    team = _named(student, submitted, groups) | {student}
    agreed = all(one in submitted and _named(one, submitted, groups) | {one} == team for one in team)
    return "" if agreed and not team & groups.keys() else NOT_BACK
