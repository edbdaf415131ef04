"""The data model of class.toml, read by pydantic with one-line errors; it is not yet compared with the course."""

import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import ConfigDict, Field, StrictBool, TypeAdapter, ValidationError

from ..course.errors import CourseError

PLAIN = ConfigDict(extra="forbid")
Amount = Annotated[float, Field(gt=0, strict=True)]
STRANGE = "unexpected_keyword_argument"
NUMBER, TABLE = "must be a number above 0", "must be a table"
# Our message for each of pydantic's errors.
MESSAGES = {
    "missing": "is missing",
    "bool_type": "must be true or false",
    "string_type": "must be a string",
    "string_pattern_mismatch": "must consist of a-z, 0-9 and _",
    "float_type": NUMBER,
    "greater_than": NUMBER,
    "list_type": "must be a list of tables",
    "too_short": "must have at least one student",
    "dict_type": TABLE,
    "dataclass_type": TABLE,
}


@dataclass(frozen=True)
class Budget:
    """The budget for grading one submission: seconds of wall-clock time, and MiB of its kernel."""

    __pydantic_config__: ClassVar[ConfigDict] = PLAIN

    seconds: Amount
    memory_mib: Amount


@dataclass(frozen=True)
class StudentTable:
    """One of the students, as in the file. docs/how-to/write-an-exercise.md explains the keys."""

    __pydantic_config__: ClassVar[ConfigDict] = PLAIN

    name: Annotated[str, Field(pattern=r"^[a-z0-9_]+$")]
    solves: StrictBool = True
    answers: dict[str, str] = field(default_factory=dict)
    essays: dict[str, str] = field(default_factory=dict)
    spoil: str = ""
    at: str = ""
    did: str = ""

    @property
    def place(self) -> str:
        """How errors name this table."""
        return f"students[{self.name}]"


@dataclass(frozen=True)
class ClassFile:
    """The whole file."""

    __pydantic_config__: ClassVar[ConfigDict] = PLAIN

    budget: Budget
    students: Annotated[list[StudentTable], Field(min_length=1)]
    limits: dict[str, Amount] = field(default_factory=dict)
    essays: dict[str, str] = field(default_factory=dict)


TABLES: dict[Any, type] = {"budget": Budget, "students": StudentTable}


def read_class_file(path: Path) -> ClassFile:
    """Return the checked content of a class.toml, or raise CourseError."""
    try:
        data = tomllib.loads(path.read_text())
        return TypeAdapter(ClassFile).validate_python(data)
    except FileNotFoundError:
        raise CourseError(f"{path} is missing.") from None
    except ValidationError as problem:
        # A misspelled key is reported before the key that is missing because of it.
        first = min(problem.errors(include_url=False), key=lambda error: error["type"] != STRANGE)
        place, message = first["loc"], MESSAGES.get(first["type"], first["msg"])
        if first["type"] == STRANGE:
            message = unknown(
                field.name for field in fields(TABLES.get(place[0], ClassFile) if place[1:] else ClassFile)
            )
        raise CourseError(f"{path}: {_named(place, data)} {message}.") from None
    except ValueError as problem:  # an encoding error, or invalid TOML
        raise CourseError(f"{path} is not a TOML file: {problem}") from None


def unknown(known: Any) -> str:
    """Return the message for an unknown key, with the known ones."""
    return f"is unknown; known names: {', '.join(known) or 'none'}"


def _named(place: tuple[int | str, ...], data: dict[str, Any]) -> str:
    """Return the key with the error; a student is identified by name or by number, from 1."""
    parts = list(map(str, place))
    if len(place) > 1 and isinstance(place[1], int):
        table = data["students"][place[1]]
        name = table.get("name", place[1] + 1) if isinstance(table, dict) else place[1] + 1
        parts[:2] = [f"students[{name}]"]
    return ".".join(parts)
