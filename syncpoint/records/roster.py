"""The roster: imports the course's students from a CSV file into the gradebook."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from nbgrader.api import Gradebook, Student

from ..core.names import some
from ..course.errors import CourseError
from .database import one_transaction
from .roster_file import NAMES, OTHER_IDS, Person
from .student_details import groups, languages, set_group, set_language, set_student_id, student_ids

Ids = Mapping[str, Mapping[str, str]]  # a student's ids, by kind


@dataclass(frozen=True)
class Enrolment:
    """The changes that a roster made in the gradebook."""

    added: tuple[str, ...]
    changed: dict[str, tuple[str, ...]]  # new values, by student
    left: tuple[str, ...]  # unchanged students
    others: tuple[str, ...]  # students in the gradebook who are not in the roster
    # fields that should be unique, with the students whose values are almost the same
    twins: tuple[tuple[str, tuple[str, ...]], ...] = ()
    unknown: tuple[str, ...] = ()  # the roster's names of people without an id who are not in the gradebook
    # added student -> other students with the same name
    namesakes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # students whose id is now that of a person with another name and another address
    strangers: tuple[str, ...] = ()


def enrol(gradebook: Gradebook, people: Iterable[Person], fixed: str = "") -> Enrolment:
    """Update the gradebook's students from the roster, completely or not at all.  Nothing is removed.

    ``fixed`` is a kind of id that a student keeps: another one would be another person.

    Raises:
        CourseError: If an id of the roster is another student's, or if two students may be meant.
    """
    known = {student.id: student for student in gradebook.students}
    ids = student_ids(gradebook.db())
    roster: dict[str, Person] = {}
    unknown = []
    for person in _recognized(people, known, ids):
        if not person.id:
            unknown.append(person.identifier)
        elif (first := roster.setdefault(person.id, person)) is not person:
            raise CourseError(f"lines {first.line} and {person.line} of the roster are both about {person.id}.")
    _check_ids(known, ids, roster)
    _check_fixed(fixed, ids, roster)
    news = _news(gradebook, known, ids, roster)
    namesakes = {
        id: tuple(other for other, student in known.items() if _orders(person) & _orders(student))
        for id, person in roster.items()
        if id not in known and person.found
    }
    strangers = tuple(id for id in news if roster[id].found and _is_another(roster[id], known[id]))
    with one_transaction(gradebook) as session:
        for id, person in roster.items():
            if id not in known or news[id]:
                gradebook.update_or_create_student(id, **person.fields())
                for kind, value in person.other_ids().items():
                    set_student_id(session, id, kind, value)
                if person.language:
                    set_language(session, id, person.language)
                if person.group is not None:
                    set_group(session, id, person.group)
    return Enrolment(
        added=tuple(id for id in roster if id not in known),
        changed={id: names for id, names in news.items() if names},
        left=tuple(id for id, names in news.items() if not names),
        others=tuple(id for id in known if id not in roster),
        twins=tuple(_twins(gradebook, roster)),
        unknown=tuple(unknown),
        namesakes=namesakes,
        strangers=strangers,
    )


def _check_fixed(fixed: str, ids: Ids, roster: Mapping[str, Person]) -> None:
    for id, person in roster.items():
        old, new = ids.get(id, {}).get(fixed, ""), getattr(person, fixed, "")
        if old and new and old != new:
            raise CourseError(
                f"{id} had the {OTHER_IDS[fixed]} {old!r} before, and the platform now says {new!r}. If both are the "
                f"same person, enroll a CSV file with the columns id and {OTHER_IDS[fixed]}."
            )


def _news(
    gradebook: Gradebook, known: Mapping[str, Student], ids: Ids, roster: Mapping[str, Person]
) -> dict[str, tuple[str, ...]]:
    """Return what the roster changes, by known student."""
    spoken, grouped = languages(gradebook.db()), groups(gradebook.db())
    return {
        id: tuple(NAMES[name] for name, value in person.fields().items() if getattr(known[id], name) != value)
        + tuple(OTHER_IDS[kind] for kind, value in person.other_ids().items() if ids.get(id, {}).get(kind) != value)
        + (("language",) if person.language and person.language != spoken.get(id) else ())
        + (("group",) if person.group is not None and person.group != grouped.get(id, "") else ())
        for id, person in roster.items()
        if id in known
    }


def _recognized(people: Iterable[Person], known: Mapping[str, Student], ids: Ids) -> Iterator[Person]:
    """Return the same people; without an id column, with the id that their other ids identify."""
    for person in people:
        if not person.found:
            yield person
            continue
        found = {id for id, student in known.items() if _is(person, student, ids.get(id, {}))}
        if not found and person.identifier:
            found = {id for id, student in known.items() if _words(person.identifier) in _orders(student)}
        if len(found) > 1:
            raise CourseError(
                f"line {person.line} of the roster: {some(sorted(found))} may be meant; add a column id that says who."
            )
        id = found.pop() if found else person.id
        student = known.get(id)
        if student and id in (person.login, person.school_id, person.lms_user_id) and _differ(person, student):
            raise CourseError(
                f"line {person.line} of the roster: {id} has another name in the gradebook; add a column id that says "
                "who is meant."
            )
        lms_id = person.lms_user_id or (student and student.lms_user_id) or person.school_id
        yield replace(person, id=id, lms_user_id=lms_id if id else "")


def _is(person: Person, student: Student, ids: Mapping[str, str]) -> bool:
    """Whether an id or email address of a line is the student's."""
    mine = {student.id, student.lms_user_id, *ids.values()} - {None, ""}
    email = (student.email or "").casefold()
    return bool(
        student.id in (person.login, person.school_id, person.email, person.lms_user_id)
        or (person.lms_user_id and person.lms_user_id == student.lms_user_id)
        or any(value == ids.get(kind) for kind, value in person.other_ids().items())
        or (email and email in {text.casefold() for text in (person.email, person.login, person.identifier)})
        or person.identifier in mine
    )


def _words(name: str) -> tuple[str, ...]:
    return tuple(bare(name).replace(",", " ").split())


def _orders(student: Student | Person) -> set[tuple[str, ...]]:
    first, last = (_words(name or "") for name in (student.first_name, student.last_name))
    return {first + last, last + first} - {()}


def _differ(person: Person, student: Student) -> bool:
    return names_differ(*(f"{one.first_name or ''} {one.last_name or ''}" for one in (person, student)))


def _is_another(person: Person, student: Student) -> bool:
    """Whether the names are not the same, and the email addresses neither: schools give a login again."""
    email, name = (student.email or "").casefold(), _orders(student)
    moved = bool(email and person.email) and email != person.email.casefold()
    return _differ(person, student) or (moved and bool(name and _orders(person)) and name.isdisjoint(_orders(person)))


def names_differ(one: str, other: str) -> bool:
    """Whether two names are both known and have no word in common."""
    words, others = {*_words(one)}, {*_words(other)}
    return bool(words and others) and words.isdisjoint(others)


def bare(text: str) -> str:
    """Return a text without differences that people do not see: case, Unicode form, width, leading zeros."""
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return re.sub(r"(?<![0-9])0+(?=[0-9])", "", plain)


def _twins(gradebook: Gradebook, roster: dict[str, Person]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Return the people in a roster whose address or LMS id is almost the same as another person's."""
    for name in ("email", "lms_user_id"):
        holders: dict[str, list[str]] = defaultdict(list)
        for student in gradebook.students:
            if value := getattr(student, name):
                holders[bare(value)].append(student.id)
        for whose in holders.values():
            if len(whose) > 1 and not roster.keys().isdisjoint(whose):
                yield name, tuple(sorted(whose))


def _check_ids(known: Mapping[str, Student], ids: Ids, roster: Mapping[str, Person]) -> None:
    """Check that no two students will have the same id of a kind."""
    for kind, name in {"lms_user_id": NAMES["lms_user_id"], **OTHER_IDS}.items():
        lms = {student.id: student.lms_user_id for student in known.values()}
        current = lms if kind == "lms_user_id" else {id: of.get(kind) for id, of in ids.items()}
        holders = {of: id for id, of in current.items() if of and not (id in roster and getattr(roster[id], kind))}
        for person in roster.values():
            holder = holders.get(getattr(person, kind), person.id)
            if holder != person.id:
                raise CourseError(
                    f"line {person.line} of the roster: the {name} {getattr(person, kind)!r} belongs to {holder} "
                    f"in the gradebook; give that student another one in the roster."
                )


def describe(enrolment: Enrolment) -> list[str]:
    everybody = (*enrolment.left, *enrolment.changed, *enrolment.others, *enrolment.added)
    alike = {
        id: sorted(one for one in everybody if one != id and bare(one) == bare(id)) or enrolment.namesakes.get(id, ())
        for id in enrolment.added
    }
    lines = [
        f"added    {id}" + (f" (the gradebook also has {some(alike[id])}: is that somebody else?)" if alike[id] else "")
        for id in enrolment.added
    ]
    lines += [
        f"check    {some(whose)}: their {NAMES[field]} differs only in case, Unicode form or leading zeros: "
        "are they the same person?"
        for field, whose in enrolment.twins
    ]
    if enrolment.strangers:
        lines.append(
            f"check    {some(enrolment.strangers)}: the name has changed: is that still the same person? If not, they "
            "now have somebody else's marks: enroll both with a column id."
        )
    lines += [
        f"unknown  {name!r}: nobody in the gradebook has this id, email address or name" for name in enrolment.unknown
    ]
    lines += [f"changed  {id}: {', '.join(names)}" for id, names in enrolment.changed.items()]
    counts = f"{len(enrolment.added)} added, {len(enrolment.changed)} changed, {len(enrolment.left)} unchanged"
    others = f"; {len(enrolment.others)} more in the gradebook are kept" if enrolment.others else ""
    return [*lines, f"roster: {counts}{others}."]
