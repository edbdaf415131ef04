"""One collection: converts a download to submissions, and reports on every file."""

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from nbgrader.api import Gradebook

from ..core.names import some
from ..course.folder import Course
from ..course.intake import TIMESTAMP
from ..course.shared_files import SharedFiles
from ..platforms import read_download
from ..platforms.download import NEWER, NOTEBOOK, CollectError, Download, NoPlatform, Sender, Upload
from ..records.student_details import groups, student_ids
from .archive import Archive, open_archive
from .match import GITHUB, Roster, match
from .place import Permissions, Placement, place

DONE = {
    "placed": "placed   {}: {}",
    "same": "same     {}: {}",
    "timed": "timed    {}: submitted/ already has the same, and now also its time: {}",
    "replaced": "replaced {}: {}; the old files are in {}",
    "kept": "kept     {}: submitted/ already has other work; use --replace to take this and move the old work away",
    "by hand": (
        "kept     {}: a person placed or changed the files in submitted/ ({by_hand}); to replace them, "
        "name the student: --replace-edited {}"
    ),
    "worse": "kept     {}: the work in submitted/ has one of the assignment's notebooks, and the new work has none",
    "nothing": "nothing  {}: there is no notebook{but}",
    "failed": "failed   {}: {}",
}
MISNAMED = (
    "misnamed {}: none of the assignment's notebooks ({}) was submitted; if one has another name, rename it "
    "in submitted/{}/{}/."
)
RENAME = " Or use --rename to take each student's only notebook as {}, for the whole class."
ONE_WORK = " If all of it belongs to one student, use --match '{}=STUDENT'."
GUESSED = (
    "GitHub user names are taken as ids here, although people choose them: to be sure whose work it is, enroll the "
    "classroom_roster.csv of GitHub Classroom."
)
NOT_THERE = ("kept", "by hand", "worse", "nothing", "failed")


@dataclass(frozen=True)
class Times:
    """Times given by a person for submissions without a time in the download, in UTC."""

    all: datetime | None = None  # the time of everything
    late: datetime | None = None  # the time of submissions that the platform marks as late
    zone: ZoneInfo | None = None  # the course's time zone, for times without a zone in the download

    def of(self, upload: Upload) -> datetime | None:
        """Return the time that a person gave, if any."""
        sender = upload.sender
        local = sender.local.replace(tzinfo=self.zone) if sender.local and self.zone else None
        return sender.time or local or (sender.late and self.late) or self.all


@dataclass(frozen=True)
class Account:
    """The outcome of a download."""

    platform: str
    assignment: str
    placed: list[Placement]
    unmatched: dict[str, str]  # sender -> why the work is unmatched
    left_out: list[tuple[str, str]]
    untimed: list[str]  # students whose work has no time
    late: list[str]  # those of them whose work the platform calls late
    local: bool = False  # whether the platform's times have no zone
    zone: str = ""  # the course's zone for reading them; "" if it has none
    guessed: bool = False  # whether names that people choose on GitHub are taken as ids

    @property
    def complete(self) -> bool:
        """Whether every submission was placed, no notebook misnamed, and only older notebooks left out."""
        left_out = itertools.chain(self.left_out, *(one.left_out for one in self.placed))
        return not (
            self.unmatched
            or any(one.state in NOT_THERE or one.lacking for one in self.placed)
            or any(name.endswith(NOTEBOOK) and why != NEWER for name, why in left_out)
        )


def collect(
    course: Course,
    gradebook: Gradebook,
    assignment: str,
    path: Path,
    *,
    chosen: Mapping[str, Sequence[str]],
    times: Times,
    allowed: Permissions,
    believe_names: bool = False,
) -> Account:
    """Put a download's submissions (see `match`) into nbgrader's folders, or raise CollectError and write nothing."""
    course.check_assignment(assignment)
    students = list(gradebook.students)
    ids, grouped = student_ids(gradebook.db()), groups(gradebook.db())
    together = course.graders(assignment).settings().groups
    unknown = sorted(set(allowed.replace_edited) - {student.id for student in students})
    if unknown:
        raise CollectError(f"--replace-edited: the gradebook has no student {some(map(repr, unknown))}.")
    with open_archive(path) as readings:
        if path.name in chosen:
            files = {member.path: member for member in readings.members}
            archive, download = readings, Download("one student", [Upload(Sender(path.name), files)], [])
        else:
            try:
                archive, download = best_reading(readings, Roster(students, ids, grouped))
            except NoPlatform as problem:
                raise CollectError(f"{problem}{ONE_WORK.format(path.name)}") from None
        whose, unmatched = match(download.uploads, students, chosen, believe_names, ids, grouped, together)
        timed = {student: times.of(upload) for student, upload in whose.items()}
        placed = []
        shared = SharedFiles(course.root, assignment)
        senders = Counter(one.sender.shared or one.sender.shown for one in whose.values())
        for student in sorted(whose):
            try:
                sender = whose[student].sender
                group = grouped.get(student, "") if senders[sender.shared or sender.shown] > 1 else ""
                one = place(course, assignment, student, whose[student], timed[student], allowed, shared, group)
            except CollectError as problem:  # it concerns only this student
                one = Placement(student, "failed", [str(problem)])
            placed.append(one)
    there = [one.student for one in placed if one.state not in NOT_THERE]
    untimed = [one for one in there if not (course.root / "submitted" / one / assignment / TIMESTAMP).exists()]
    late = [student for student in untimed if whose[student].sender.late]
    left_out = [*archive.left_out, *download.left_out]
    local = any(one.sender.local for one in whose.values())
    zone = times.zone.key if times.zone else ""
    guessed = any(one.sender.kind == GITHUB and one.sender.shown not in chosen for one in whose.values())
    guessed = guessed and not any(GITHUB in of for of in ids.values())
    return Account(download.platform, assignment, placed, unmatched, left_out, untimed, late, local, zone, guessed)


def best_reading(archive: Archive, roster: Roster) -> tuple[Archive, Download]:
    """Return files and senders in the encoding that finds most students, or raise CollectError if two do."""
    if not archive.other_readings:
        return archive, read_download(archive.members, roster.is_student)
    readings = []
    for one in (archive, *archive.other_readings):
        try:
            download = read_download(one.members, roster.is_student)
        except NoPlatform:
            continue
        whose, _ = match(download.uploads, roster.known.values(), {}, ids=roster.ids, groups=roster.groups)
        named = sum(roster.says_the_same(upload.sender, student) for student, upload in whose.items())
        readings.append(((len(whose), named), whose, one, download))
    if not readings:
        return archive, read_download(archive.members, roster.is_student)
    most, whose, best, download = max(readings, key=lambda reading: reading[0])
    for score, others, _, _ in readings:
        if score == most and {name: _files(one) for name, one in others.items()} != {
            name: _files(one) for name, one in whose.items()
        }:
            raise CollectError(
                f"its names are in an unknown encoding: some can be read as the names of {some(sorted(whose))} and "
                f"of {some(sorted(others))}. Unpack it where the names look right, and collect that folder."
            )
    return best, download


def _files(upload: Upload) -> set[int]:
    return {id(member.open) for member in upload.files.values()}


def describe(account: Account) -> Iterator[str]:
    for one in account.placed:
        names = some(one.files)
        by_hand = some(one.by_hand)
        sentence = DONE[one.state]
        if one.state == "by hand":
            yield sentence.format(one.student, one.student, by_hand=by_hand)
        else:
            yield sentence.format(one.student, names, one.moved_to, but=names and f", but {names}")
        if one.renamed:
            yield f"renamed  {one.student}: {one.renamed!r} was taken as the assignment's notebook."
        if one.lacking:
            missing = some(one.lacking)
            way_out = MISNAMED.format(one.student, missing, one.student, account.assignment)
            yield way_out + (RENAME.format(missing) if one.could_rename else "")
        yield from (f"left out {one.student}: {name!r}: {why}." for name, why in one.left_out)
    yield from (f"left out {name!r}: {why}." for name, why in account.left_out)
    yield from (f"unmatched {name!r}: {why}." for name, why in account.unmatched.items())
    if account.unmatched:
        yield "Use --match 'NAME=STUDENT' once for each student, or fix the roster and collect again."
    if account.guessed:
        yield GUESSED
    if account.late:
        yield f"{account.platform} marks {some(account.late)} as late without a time: give one with --late-time."
    if account.local:
        read = f"they are read as {account.zone}" if account.zone else "set c.Exchange.timezone, or give --time"
        yield f"The times of {account.platform} have no time zone: {read}."
    others = [student for student in account.untimed if student not in account.late]
    if others:
        yield f"There is no time for {some(others)}: their work does not count as late unless you give one with --time."
    states = [one.state for one in account.placed]
    counts = {state: states.count(state) for state in DONE}
    counts["kept"] += counts.pop("by hand") + counts.pop("worse")
    counts |= {"misnamed": sum(bool(one.lacking) for one in account.placed), "unmatched": len(account.unmatched)}
    summary = ", ".join(f"{count} {what}" for what, count in counts.items() if count) or "nothing placed"
    yield f"{account.assignment}, from {account.platform}: {summary}."
