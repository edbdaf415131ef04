"""The roster: who takes the course, from a CSV file of the school's into the gradebook."""

import csv
import io
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from nbgrader.api import Gradebook, Student

from ..core.names import some
from ..course.errors import CourseError
from .database import one_transaction, upgrade
from .languages import languages, set_language

LONGEST = 128  # characters that a column of nbgrader's holds
HEADS = {
    "id": "id",
    "student id": "id",
    "first name": "first_name",
    "last name": "last_name",
    "surname": "last_name",
    "email": "email",
    "email address": "email",
    "lms id": "lms_user_id",
    "lms user id": "lms_user_id",
    "language": "language",
}
LANGUAGE = re.compile(r"[a-z]{2,3}(_[A-Z]{2})?")
IDS = ("id", "lms_user_id")
NAMES = {"first_name": "first name", "last_name": "last name", "email": "email", "lms_user_id": "LMS id"}


@dataclass(frozen=True)
class Person:
    """One line of a roster.

    Attributes:
        id: The student's in nbgrader, a folder's name.  "" is what the roster does not say.
        line: Where it stands in the file.
        lms_user_id: What Canvas or Moodle calls the student.
        language: In which they read, as "pt_BR".
    """

    line: int
    id: str
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    lms_user_id: str = ""
    language: str = ""

    def fields(self) -> dict[str, str]:
        """Return the roster's values for the student, by nbgrader's names."""
        return {name: value for name in NAMES if (value := getattr(self, name))}


@dataclass(frozen=True)
class Enrolment:
    """The changes that a roster made in the gradebook.

    Attributes:
        changed: What is new, by student.
        left: As the roster has them already.
        others: In the gradebook and not in the roster.
        twins: Fields, and the students for whom a field that should be their own is almost the same.
    """

    added: tuple[str, ...]
    changed: dict[str, tuple[str, ...]]
    left: tuple[str, ...]
    others: tuple[str, ...]
    twins: tuple[tuple[str, tuple[str, ...]], ...] = ()


# --- the file -------------------------------------------------------------------------------------------------------


def read_roster(path: Path) -> tuple[Person, ...]:
    """Return the people in a CSV file: UTF-8, commas or semicolons, a first line that names the columns.

    ``id`` is needed; first name, last name, email, LMS id and language may be missing.

    Raises:
        CourseError: If the roster cannot be read or says two things of one person.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as problem:
        raise CourseError(f"cannot read {path} ({problem.strerror}).") from None
    except UnicodeDecodeError as problem:
        line = problem.object.count(b"\n", 0, problem.start) + 1
        raise CourseError(f"{path}, line {line}: this is not UTF-8; save the file as CSV in UTF-8.") from None
    head = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;", key=head.count), strict=True)
    try:
        columns = _columns(path, next(reader, []))
        people = tuple(_person(path, reader.line_num, columns, row) for row in reader if any(map(str.strip, row)))
    except csv.Error as problem:
        raise CourseError(f"{path}, line {reader.line_num}: this is not CSV ({problem}).") from None
    for name in IDS:
        _check_unique(path, people, name)
    return people


def _columns(path: Path, row: list[str]) -> list[str]:
    """The fields that the columns hold."""
    heads = [" ".join(head.replace("_", " ").split()).lower() for head in row]
    odd = [repr(name) for name, head in zip(row, heads, strict=True) if head not in HEADS]
    if odd:
        raise CourseError(
            f"{path}, line 1: unknown column {', '.join(odd)}; "
            "use id, first name, last name, email, LMS id and language."
        )
    columns = [HEADS[head] for head in heads]
    if "id" not in columns:
        raise CourseError(f"{path}, line 1: no column is named id; the first line must name the columns.")
    if len(set(columns)) < len(columns):
        raise CourseError(f"{path}, line 1: two columns have the same name.")
    return columns


def _person(path: Path, line: int, columns: list[str], row: list[str]) -> Person:
    where = f"{path}, line {line}"
    if len(row) != len(columns):
        raise CourseError(
            f"{where}: {len(row)} values for {len(columns)} columns; put quotes around a value with a comma."
        )
    values = dict(zip(columns, map(str.strip, row), strict=True))
    for value in values.values():
        if len(value) > LONGEST:
            raise CourseError(f"{where}: {value[:20]!r}... is longer than {LONGEST} characters.")
        if any(unicodedata.category(character) == "Cc" for character in value):
            raise CourseError(f"{where}: {value[:20]!r} contains a character that is not text.")
    if not values["id"]:
        raise CourseError(f"{where}: the id is missing.")
    for name in IDS:
        if any(unicodedata.category(character) == "Cf" for character in values.get(name, "")):
            label = NAMES.get(name, name)
            raise CourseError(f"{where}: the {label} {values[name]!r} contains an invisible character; type it again.")
    language = values.get("language", "").replace("-", "_")
    if language and not LANGUAGE.fullmatch(language):
        raise CourseError(f"{where}: {language!r} is not a language; write it like pt_BR or zh_CN.")
    if "language" in values:
        values["language"] = language
    if "/" in values["id"] or values["id"].startswith("."):
        raise CourseError(f"{where}: the id {values['id']!r} cannot be used as the name of the student's folder.")
    return Person(line, **values)


def _check_unique(path: Path, people: Iterable[Person], field: str) -> None:
    """No two people share what names one of them."""
    seen: dict[str, int] = {}
    for person in people:
        value = getattr(person, field)
        if value and (first := seen.setdefault(value, person.line)) != person.line:
            name = NAMES.get(field, field)
            raise CourseError(f"{path}, line {person.line}: the {name} {value!r} is also in line {first}.")


# --- the gradebook --------------------------------------------------------------------------------------------------


def enrol(gradebook: Gradebook, people: Iterable[Person]) -> Enrolment:
    """Update the gradebook's students from the roster, completely or not at all.  Nothing is removed.

    Raises:
        CourseError: If a student who is not in the roster has an LMS id of it.
    """
    known = {student.id: student for student in gradebook.students}
    roster = {person.id: person for person in people}
    _check_lms_ids(known, roster)
    upgrade(gradebook.engine)
    spoken = languages(gradebook.db())
    news = {
        id: tuple(NAMES[name] for name, value in person.fields().items() if getattr(known[id], name) != value)
        + (("language",) if person.language and person.language != spoken.get(id) else ())
        for id, person in roster.items()
        if id in known
    }
    with one_transaction(gradebook) as session:
        for id, person in roster.items():
            if id not in known or news[id]:
                gradebook.update_or_create_student(id, **person.fields())
                if person.language:
                    set_language(session, id, person.language)
    return Enrolment(
        added=tuple(id for id in roster if id not in known),
        changed={id: names for id, names in news.items() if names},
        left=tuple(id for id, names in news.items() if not names),
        others=tuple(id for id in known if id not in roster),
        twins=tuple(_twins(gradebook, roster)),
    )


def bare(text: str) -> str:
    """A text without what people do not see or type the same twice: case, Unicode form, width, leading zeros."""
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return re.sub(r"(?<![0-9])0+(?=[0-9])", "", plain)


def _like(id: str, others: Iterable[str]) -> list[str]:
    return sorted(other for other in others if other != id and bare(other) == bare(id))


def _twins(gradebook: Gradebook, roster: dict[str, Person]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Return the people in a roster whose address or LMS id is almost the same as another person's."""
    for field in ("email", "lms_user_id"):
        holders: dict[str, list[str]] = defaultdict(list)
        for student in gradebook.students:
            if value := getattr(student, field):
                holders[bare(value)].append(student.id)
        for whose in holders.values():
            if len(whose) > 1 and not roster.keys().isdisjoint(whose):
                yield field, tuple(sorted(whose))


def _check_lms_ids(known: dict[str, Student], roster: dict[str, Person]) -> None:
    """Afterwards no two students have one LMS id."""
    kept = {
        student.lms_user_id: student.id
        for student in known.values()
        if student.lms_user_id and not (student.id in roster and roster[student.id].lms_user_id)
    }
    for person in roster.values():
        holder = kept.get(person.lms_user_id, person.id)
        if holder != person.id:
            raise CourseError(
                f"line {person.line} of the roster: the LMS id {person.lms_user_id!r} belongs to {holder} "
                "in the gradebook; give that student another LMS id in the roster."
            )


def describe(enrolment: Enrolment) -> list[str]:
    """Lines that say what happened."""
    everybody = (*enrolment.left, *enrolment.changed, *enrolment.others, *enrolment.added)
    alike = {id: _like(id, everybody) for id in enrolment.added}
    lines = [
        f"added    {id}" + (f" (the gradebook also has {some(alike[id])}: is that somebody else?)" if alike[id] else "")
        for id in enrolment.added
    ]
    lines += [
        f"check    {some(whose)}: their {NAMES[field]} differs only in case, Unicode form or leading zeros: "
        "are they the same person?"
        for field, whose in enrolment.twins
    ]
    lines += [f"changed  {id}: {', '.join(names)}" for id, names in enrolment.changed.items()]
    counts = f"{len(enrolment.added)} added, {len(enrolment.changed)} changed, {len(enrolment.left)} unchanged"
    others = f"; {len(enrolment.others)} more in the gradebook are kept" if enrolment.others else ""
    return [*lines, f"roster: {counts}{others}."]
