"""Gradescope: a folder for each submission, and ``submission_metadata.yml``, which names their students."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import yaml

from ..core.limits import MIB
from .download import CollectError, Download, Member, Oversized, Parts, Platform, Sender, Upload

METADATA = "submission_metadata.yml"
MAX_METADATA = 64 * MIB


def claims(members: Sequence[Member]) -> int:
    """Return the number of all files, if the file with the students' names is among them."""
    return len(members) if any(member.path == (METADATA,) for member in members) else 0


def read(members: Sequence[Member], is_student: Callable[[str], bool]) -> Download | None:
    metadata = next((member for member in members if member.path == (METADATA,)), None)
    if metadata is None:
        return None
    entries = _metadata(metadata)
    submissions: dict[str, dict[Parts, Member]] = defaultdict(dict)
    left_out = []
    for member in members:
        folder, *inside = member.path
        if folder in entries:
            submissions[folder][tuple(inside) or member.path] = member
        elif member is not metadata:
            left_out.append(("/".join(member.path), f"{METADATA} does not name its student"))
    uploads = [
        Upload(sender, files) for name, files in submissions.items() for sender in _submitters(name, entries[name])
    ]
    return Download(PLATFORM.name, uploads, left_out)


def _submitters(name: str, about: dict[str, Any]) -> list[Sender]:
    listed = about.get(":submitters")
    people = [person for person in listed if isinstance(person, dict)] if isinstance(listed, list) else []
    time = about.get(":created_at")
    return [
        Sender(
            name if len(people) < 2 else f"{name}, {number}",
            tuple(str(person[key]) for key in (":sid", ":email") if person.get(key)),
            str(person.get(":name") or ""),
            time=_in_utc(time) if isinstance(time, datetime) else None,
            person=True,
            shared=name if len(people) > 1 else "",
        )
        for number, person in enumerate(people or [{}], 1)
    ]


def _metadata(member: Member) -> dict[str, Any]:
    try:
        entries = yaml.load(member.read(MAX_METADATA), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, ValueError, RecursionError, Oversized) as problem:
        raise CollectError(f"{METADATA} cannot be read ({str(problem).splitlines()[0]}).") from None
    if not isinstance(entries, dict):
        raise CollectError(f"{METADATA} does not name the students of the submissions.")
    return {str(name): about for name, about in entries.items() if isinstance(about, dict)}


def _in_utc(time: datetime) -> datetime:
    return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)


PLATFORM = Platform("Gradescope", claims, read)
