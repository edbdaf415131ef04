"""How the platforms name what they hand over: whose a file is, and what it was called.

Canvas: ``lovelaceada_LATE_4711_90210_work.ipynb``: the name, whether it was late, the ids of user and file, the file.
Moodle: ``Ada Lovelace_1234_assignsubmission_file/work.ipynb``: the name, and a number of this assignment alone.
Gradescope: a folder for each submission, and ``submission_metadata.yml``, which says whose they are.
GitHub Classroom: ``async-submissions/async-ada/work.ipynb``: assignment and user.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import yaml

from ..core.limits import MIB
from .archive import CollectError, Member, Oversized, Parts

METADATA = "submission_metadata.yml"
MAX_METADATA = 64 * MIB
CANVAS = re.compile(
    r"(?P<who>(?:(?P<name>\w*?)_)??(?:(?P<late>late)_)?(?:anon_\w+?|(?P<user>\d+)))_(?P<file>\d+)_(?P<called>.+)",
    re.IGNORECASE,
)
CANVAS_TEXT = re.compile(r"(?:\w*?_)?(?:late_)?(?:anon_)?\w+_(?:text|link)\.html", re.IGNORECASE)
USERS = re.compile(r"(?=(?:^|_)(\d+)_\d+_)")
MOODLE = re.compile(r"(?P<who>(?P<name>.+)_\d+)_assignsubmission_(?P<kind>[a-z]+)_?(?P<called>.*)")
CLONES = "-submissions"


@dataclass(frozen=True)
class Sender:
    """Whose something is, by the platform's words.

    Attributes:
        shown: How the download calls them, one for each.
        ids: Texts of which one may be the LMS id, id or email address of the student.
        name: Of the student, in whatever order.
        late: Whether the platform says so.
        time: When it was handed in, if the download says so.
    """

    shown: str
    ids: tuple[str, ...] = ()
    name: str = ""
    late: bool = False
    time: datetime | None = None


@dataclass
class HandedIn:
    """What one sender handed in.

    Attributes:
        files: By their path inside of it.
    """

    sender: Sender
    files: dict[Parts, Member] = field(default_factory=dict)


@dataclass(frozen=True)
class Download:
    """What a platform handed over.

    Attributes:
        left_out: Names, and why nothing is taken from there.
    """

    platform: str
    handed_in: list[HandedIn]
    left_out: list[tuple[str, str]]


def read_download(members: Sequence[Member]) -> Download:
    """Find out which platform this is from, and sort it by senders.

    Returns:
        What it holds.

    Raises:
        CollectError: If it is none that is known.
    """
    for platform in (_gradescope, _moodle, _canvas, _folders):
        found = platform(members)
        if found is not None:
            return found
    raise CollectError(
        "no file in it is named as Canvas, Moodle, Gradescope or GitHub Classroom name them; see docs/exports.md, "
        "Collecting. `nbgrader zip_collect` takes names of any pattern."
    )


def _canvas(members: Sequence[Member]) -> Download | None:
    if not all(len(member.path) == 1 for member in members):
        return None
    found: dict[str, list[tuple[re.Match[str], Member]]] = defaultdict(list)
    left_out = []
    for member in members:
        (name,) = member.path
        if match := CANVAS.fullmatch(name):
            found[match["who"]].append((match, member))
        else:
            typed = CANVAS_TEXT.fullmatch(name) is not None
            left_out.append((name, "typed into Canvas, no file" if typed else "not named as Canvas names files"))
    handed_in = []
    for who, files in found.items():
        # A student's own name and file names may look like ids, so all that may be one are told.
        ids = dict.fromkeys(user for match, _ in files for user in USERS.findall(match.string))
        first, _ = files[0]
        this = HandedIn(Sender(who, tuple(ids), first["name"] or "", late=bool(first["late"])))
        for match, member in sorted(files, key=lambda pair: int(pair[0]["file"])):
            if older := this.files.get((match["called"],)):
                left_out.append((older.path[0], "there is a newer one of this name"))
            this.files[match["called"],] = member
        handed_in.append(this)
    return Download("Canvas", handed_in, left_out) if handed_in else None


def _moodle(members: Sequence[Member]) -> Download | None:
    handed_in: dict[str, HandedIn] = {}
    left_out = []
    for member in members:
        found = MOODLE.fullmatch(member.path[0])
        path = (*filter(None, [found["called"]]), *member.path[1:]) if found else ()
        if found is None or found["kind"] != "file" or not path:
            left_out.append(("/".join(member.path), "typed into Moodle, no file" if found else "not Moodle's"))
            continue
        this = handed_in.setdefault(found["who"], HandedIn(Sender(found["who"], name=found["name"])))
        this.files[path] = member
    return Download("Moodle", list(handed_in.values()), left_out) if handed_in else None


def _gradescope(members: Sequence[Member]) -> Download | None:
    metadata = next((member for member in members if member.path[-1] == METADATA and len(member.path) <= 2), None)
    if metadata is None:
        return None
    *above, _ = metadata.path
    level = len(above)
    said = _metadata(metadata)
    submissions: dict[str, dict[Parts, Member]] = defaultdict(dict)
    left_out = []
    for member in members:
        inside = member.path[level:]
        if member.path[:level] != tuple(above) or inside[0] not in said:
            left_out += [("/".join(member.path), f"{METADATA} does not say whose it is")] * (member is not metadata)
        else:
            submissions[inside[0]][inside[1:] or inside] = member
    handed_in = [
        HandedIn(sender, files) for name, files in submissions.items() for sender in _submitters(name, said[name])
    ]
    return Download("Gradescope", handed_in, left_out)


def _submitters(name: str, about: dict[str, Any]) -> list[Sender]:
    """Those who handed a submission in together."""
    listed = about.get(":submitters")
    people = [person for person in listed if isinstance(person, dict)] if isinstance(listed, list) else []
    time = about.get(":created_at")
    return [
        Sender(
            name if len(people) < 2 else f"{name}, {number}",
            tuple(str(person[key]) for key in (":sid", ":email") if person.get(key)),
            str(person.get(":name") or ""),
            time=_in_utc(time) if isinstance(time, datetime) else None,
        )
        for number, person in enumerate(people or [{}], 1)
    ]


def _metadata(member: Member) -> dict[str, Any]:
    try:
        said = yaml.load(member.read(MAX_METADATA), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, ValueError, RecursionError, Oversized) as problem:
        raise CollectError(f"{METADATA} cannot be read ({str(problem).splitlines()[0]}).") from None
    if not isinstance(said, dict):
        raise CollectError(f"{METADATA} does not say whose the submissions are.")
    return {str(name): about for name, about in said.items() if isinstance(about, dict)}


def _in_utc(time: datetime) -> datetime:
    return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)


def _folders(members: Sequence[Member]) -> Download | None:
    """A folder for each student, named after them, or after the assignment and them."""
    container = ""
    tops = {member.path[0] for member in members}
    if len(tops) == 1 and all(len(member.path) > 2 for member in members):
        (container,) = tops
        members = [replace(member, path=member.path[1:]) for member in members]
    handed_in: dict[str, HandedIn] = {}
    left_out = []
    for member in members:
        if len(member.path) == 1:
            left_out.append((member.path[0], "in no student's folder"))
            continue
        folder = member.path[0]
        this = handed_in.setdefault(folder, HandedIn(Sender(folder, _users(folder, container))))
        this.files[member.path[1:]] = member
    return Download("folders", list(handed_in.values()), left_out) if handed_in else None


def _users(folder: str, container: str) -> tuple[str, ...]:
    """Whose a folder may be: what stands behind the assignment's name, or behind any of the dashes."""
    slug = container.removesuffix(CLONES) + "-"
    if container.endswith(CLONES) and folder.startswith(slug):
        return (folder.removeprefix(slug),)
    pieces = folder.split("-")
    return tuple("-".join(pieces[start:]) for start in range(len(pieces)))
