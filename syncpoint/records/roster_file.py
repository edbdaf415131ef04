"""The file of a roster: your own CSV file, or a platform's export of its gradebook or participants."""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..course.errors import CourseError

MAX_COLUMN_CHARACTERS = 128  # characters that fit in a column of nbgrader
LANGUAGE = re.compile(r"[a-z]{2,3}(_[A-Z]{2})?")
IDS = ("id", "lms_user_id", "school_id", "login", "github", "lti")
NAMES = {"first_name": "first name", "last_name": "last name", "email": "email", "lms_user_id": "LMS id"}
OTHER_IDS = {"school_id": "school id", "login": "login", "github": "GitHub", "lti": "LTI id"}
# Column headings of people and platforms, in English, German, French, Portuguese, Spanish and Chinese.
HEADS = {
    "id": "id",
    "first_name": (
        "first name|given name|given names|firstname|vorname|vornamen|prénom|primeiro nome|nombre|名|名字|nome próprio"
    ),
    "last_name": (
        "last name|surname|family name|lastname|nachname|familienname|nom|nom de famille|sobrenome|apelido|apellido"
        "|apellido(s)|apellidos|último nome|姓|姓氏"
    ),
    "name": "student|student name|name|full name|nom complet|vollständiger name|nome|nome completo|nombre completo"
    "|姓名|全名",
    "email": (
        "email|e-mail|email address|e-mail address|mail|e-mail-adresse|emailadresse|adresse de courriel|courriel"
        "|adresse e-mail|adresse électronique|endereço de email|endereço de e-mail|correo electrónico"
        "|dirección de correo|电子邮件|电子邮件地址|电子邮箱|邮箱|邮箱地址|email地址"
    ),
    "lms_user_id": "lms id|lms user id|canvas id|canvas user id|moodle id",
    "school_id": (
        "school id|sid|student id|student number|id number|sis user id|sis id|orgdefinedid|id-nummer|matrikelnummer"
        "|matriculation number|matrikelnr|matrikelnr.|matrikel-nr.|numéro d'identification|numéro d'étudiant"
        "|numéro étudiant|número de identificação|número de matrícula|matrícula|número de identificación|学号|编号|id号"
    ),
    "login": (
        "login|username|user name|login id|sis login id|benutzername|anmeldename|nutzername|nom d'utilisateur"
        "|identifiant|nome de usuário|nome de utilizador|nombre de usuario|用户名|登录名"
    ),
    "github": "github|github username|github user|github login",
    "lti": "lti id|lti user id",
    "identifier": "identifier",  # the teacher's entry in GitHub Classroom: any id, an email address or a name
    "language": "language",
    "group": (
        "group|group name|gruppe|gruppenname|groupe|nom du groupe|grupo|nome do grupo|nombre del grupo|组|小组|组名"
    ),
    "role": "role",  # Gradescope, whose roster has everybody
    "end": "end-of-line indicator",  # Brightspace, which begins ids with the same "#"
}
FIELDS = {head: field for field, heads in HEADS.items() for head in heads.split("|")}
# In a file without an id column, the first of these that everybody has.
STAND_INS = ("login", "school_id", "email", "lms_user_id")
# Lines of Canvas and Google Classroom that are not about a student.
IGNORED = re.compile(
    r"\s*points possible\b|student, test$|test, student$|(date|points|class average):?$", re.IGNORECASE
)

PREVIEW = "_previewuser"  # Blackboard's pseudo-student for a teacher's preview


@dataclass(frozen=True)
class Person:
    """One line of a roster."""

    line: int  # its line number in the file
    id: str  # the student's id in nbgrader, a folder's name; "" if the roster has none
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    lms_user_id: str = ""  # the student's id at Canvas or Moodle
    language: str = ""  # the language they read, such as "pt_BR"
    # the group they submit with, "" for none; None if the roster has no groups
    group: str | None = None
    # the school's number for the student: Canvas's SIS id, Moodle's ID number, Brightspace's OrgDefinedId
    school_id: str = ""
    login: str = ""  # the user name at the platform
    github: str = ""  # the user name at GitHub
    lti: str = ""
    identifier: str = ""  # the teacher's entry in GitHub Classroom: an id, an email address or a name
    found: bool = False  # whether the id is not from an id column: another column replaces it, or nothing does

    def fields(self) -> dict[str, str]:
        """The roster's data on the student, by nbgrader's names."""
        return {name: value for name in NAMES if (value := getattr(self, name))}

    def other_ids(self) -> dict[str, str]:
        """The ids that nbgrader cannot store, by kind."""
        return {kind: value for kind in OTHER_IDS if (value := getattr(self, kind))}


def read_roster(path: Path) -> tuple[Person, ...]:
    """Return the people in a CSV file: UTF-8 or UTF-16, with commas, semicolons or tabs.

    The first line names the columns.  A file with a column ``id`` may have only known columns.  Without this column,
    the file is a platform's export: unknown columns are marks, and another id is used as the id.

    Raises:
        CourseError: If the roster cannot be read or contradicts itself about a person.
    """
    text = _text(path)
    head = re.sub(r'"[^"]*"', "", text.partition("\n")[0])
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=head.count), strict=True)
    try:
        columns = _columns(path, next(reader, []))
        rows = [(reader.line_num, row) for row in reader if any(map(str.strip, row))]
    except csv.Error as problem:
        raise CourseError(f"{path}, line {reader.line_num}: this is not CSV ({problem}).") from None
    own = "id" in columns
    values = [(line, read) for line, row in rows if (read := _values(f"{path}, line {line}", columns, row, own))]
    if not own:
        stand_in = _stand_in(path, columns, [read for _, read in values])
        values = [(line, read | {"id": read.get(stand_in, "")}) for line, read in values]
    return people_of(str(path), values, own)


def people_of(source: str, values: Iterable[tuple[int, dict[str, str]]], own: bool) -> tuple[Person, ...]:
    """Return people with these fields by line (``own``: each has an id), or raise CourseError."""
    people = tuple(_person(f"{source}, line {line}", line, read, own) for line, read in values)
    for name in IDS:
        _check_unique(source, people, name)
    return people


def _text(path: Path) -> str:
    try:
        raw = path.read_bytes()
    except OSError as problem:
        raise CourseError(f"cannot read {path} ({problem.strerror}).") from None
    try:
        if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
            return raw.decode("utf-16")
        if b"\0" in raw[:2]:  # UTF-16 without a byte order mark; headings begin with a Latin letter
            return raw.decode("utf-16-be" if raw[0] == 0 else "utf-16-le")
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = problem.object.count(b"\n", 0, problem.start) + 1
        raise CourseError(f"{path}, line {line}: this is not UTF-8; save the file as CSV in UTF-8.") from None


def _columns(path: Path, row: list[str]) -> list[str]:
    """Return the columns' fields; "" for marks and other data."""
    heads = [_plain(head) for head in row]
    columns = [FIELDS.get(head, "") for head in heads]
    # here "id" is Canvas's own number
    if "id" in columns and (heads[:2] == ["student", "id"] or "sis login id" in heads):
        columns[columns.index("id")] = "lms_user_id"
    if "student id" in heads and not {"id", "login"} & {*columns}:
        columns[heads.index("student id")] = "id"
    if "identifier" in columns and "name" in columns:  # the student's own name at GitHub
        columns[columns.index("name")] = ""
    if "name" in columns and {"first_name", "last_name"} & {*columns}:
        missing = {"first_name", "last_name"} - {*columns}
        columns[columns.index("name")] = missing.pop() if missing else ""
    if "id" in columns:
        columns = ["" if field == "role" else field for field in columns]
    if "id" in columns and "" in columns:
        odd = [repr(name) for name, field in zip(row, columns, strict=True) if not field]
        raise CourseError(
            f"{path}, line 1: unknown column {', '.join(odd)}; "
            "use id, first name, last name, email, LMS id, school id, login, GitHub, LTI id, group and language."
        )
    if not {"id", "identifier", *STAND_INS} & {*columns}:
        raise CourseError(f"{path}, line 1: no column is named id; the first line must name the columns.")
    known = [field for field in columns if field]
    if len(set(known)) < len(known):
        raise CourseError(f"{path}, line 1: two columns have the same name.")
    return columns


def _plain(head: str) -> str:
    text = unicodedata.normalize("NFKC", head).replace("_", " ").replace("\u2019", "'").strip("\ufeff[] ")
    return " ".join(text.split()).casefold()


def _values(where: str, columns: list[str], row: list[str], own: bool) -> dict[str, str]:
    """Return a line's values by field; empty if it names nobody."""
    if len(row) != len(columns) and (own or len(row) > len(columns)):
        raise CourseError(
            f"{where}: {len(row)} values for {len(columns)} columns; put quotes around a value with a comma."
        )
    values = {field: value.strip() for field, value in zip(columns, row, strict=False) if field}
    if values.pop("end", ""):
        values = {field: value.removeprefix("#") for field, value in values.items()}
    if not own and values.pop("role", "Student").casefold() != "student":
        return {}
    if not own and values.get("login", "").endswith(PREVIEW):
        return {}
    name = values.pop("name", "")
    whole = name or ", ".join(filter(None, (values.get("last_name"), values.get("first_name"))))
    if IGNORED.match(whole) and not (own or values.get("email")):
        return {}
    last, comma, first = name.partition(", ")
    if not comma:
        first, _, last = name.rpartition(" ")
    if name:
        values |= {"first_name": first.strip(), "last_name": last.strip()}
    return values if own or any(values.values()) else {}


def _stand_in(path: Path, columns: list[str], people: list[Mapping[str, str]]) -> str:
    """Return the column that replaces the id: the first with a value for everybody; "" if none is needed."""
    there = [field for field in STAND_INS if field in columns]
    if not there:
        return ""
    full = next((field for field in there if all(person.get(field) for person in people)), None)
    if full is None:
        names = ", ".join({**NAMES, **OTHER_IDS}[field] for field in there)
        raise CourseError(f"{path}: not everybody has one of {names}, so none can be the id. Add a column id.")
    return full


def _person(where: str, line: int, values: dict[str, str], own: bool) -> Person:
    for value in values.values():
        if len(value) > MAX_COLUMN_CHARACTERS:
            raise CourseError(f"{where}: {value[:20]!r}... is longer than {MAX_COLUMN_CHARACTERS} characters.")
        if any(unicodedata.category(character) == "Cc" for character in value):
            raise CourseError(f"{where}: {value[:20]!r} contains a character that is not text.")
    if own and not values["id"]:
        raise CourseError(f"{where}: the id is missing.")
    for name in IDS:
        if any(unicodedata.category(character) == "Cf" for character in values.get(name, "")):
            label = ({**NAMES, **OTHER_IDS}).get(name, name)
            raise CourseError(f"{where}: the {label} {values[name]!r} contains an invisible character; type it again.")
    language = values.get("language", "").replace("-", "_")
    if language and not LANGUAGE.fullmatch(language):
        raise CourseError(f"{where}: {language!r} is not a language; write it like pt_BR or zh_CN.")
    if "language" in values:
        values["language"] = language
    if "/" in values["id"] or values["id"].startswith("."):
        raise CourseError(f"{where}: the id {values['id']!r} cannot be used as the name of the student's folder.")
    return Person(line, **values, found=not own)


def _check_unique(source: str, people: Iterable[Person], field: str) -> None:
    """Check that no two people share a value that identifies one of them."""
    seen: dict[str, int] = {}
    for person in people:
        value = getattr(person, field)
        if value and (first := seen.setdefault(value, person.line)) != person.line:
            name = ({**NAMES, **OTHER_IDS}).get(field, field)
            raise CourseError(f"{source}, line {person.line}: the {name} {value!r} is also in line {first}.")
