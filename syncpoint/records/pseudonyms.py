"""Pseudonyms: stable for a student while the course has its key, and not computable from an id."""

import contextlib
import hmac
import os
import secrets
import tempfile
from collections.abc import Iterable
from pathlib import Path

from nbgrader.api import Gradebook

from ..core.errors import SyncpointError
from ..course.folder import Course

# No vowels, so no words; no digits, so a spreadsheet takes nothing for a number.
LETTERS = "bcdfghjklmnpqrstvwxz"
HALF = 5  # letters; ten are 43 bits: of 10,000 students two are alike once in 200,000 courses
KEY_BYTES = 32


def key_file(course: Course) -> Path:
    """Return the path of a course's key, which reveals who is who."""
    return course.state / "pseudonyms.key"


def read_key(course: Course) -> bytes:
    """Return a course's key, made by the first call. Raises SyncpointError, also if others can read it."""
    path = key_file(course)
    try:
        if not path.exists():
            _make(path)
        key, mode = path.read_bytes(), path.stat().st_mode
    except OSError as problem:
        raise SyncpointError(f"cannot use {path}, the key of the pseudonyms ({problem.strerror}).") from None
    if mode & 0o077:
        raise SyncpointError(f"{path} reveals who is who, and others can read it: run `chmod 600 {path}`.")
    if len(key) != KEY_BYTES:
        raise SyncpointError(f"{path} is not a key: restore it from a backup, or remove it to get new pseudonyms.")
    return key


def _make(path: Path) -> None:
    """Write a new key, readable only by its owner; if several do so at once, the first key stays."""
    path.parent.mkdir(exist_ok=True)
    handle, part = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(secrets.token_bytes(KEY_BYTES))
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(part, path)
    finally:
        os.unlink(part)


def pseudonym(key: bytes, student: str) -> str:
    """Return a student's pseudonym: a keyed digest (HMAC, RFC 2104) of their id, in letters."""
    number = int.from_bytes(hmac.digest(key, student.encode("utf-8", "surrogateescape"), "sha256"), "big")
    letters = ""
    for _ in range(2 * HALF):
        number, place = divmod(number, len(LETTERS))
        letters += LETTERS[place]
    return f"{letters[:HALF]}-{letters[HALF:]}"


def find_student(key: bytes, students: Iterable[str], shown: str) -> str | None:
    return next((student for student in students if pseudonym(key, student) == shown), None)


def describe(course: Course, gradebook: Gradebook, shown: str) -> str:
    if not key_file(course).exists():
        raise SyncpointError("the course has no pseudonyms yet: run `syncpoint dashboard --anonymous` to create them.")
    key, wanted = read_key(course), shown.strip().lower()
    names = {student.id: f"{student.first_name or ''} {student.last_name or ''}" for student in gradebook.students}
    found = find_student(key, names, wanted)
    if found is None:
        raise SyncpointError(f"no student of this course has the pseudonym {shown!r}.")
    return f"{found}  {names[found].strip()}".rstrip()
