"""A table of a TOML file that a person wrote: every error is one line that names the file and the key."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from ..judge.course import CourseError

Kind = TypeVar("Kind", bool, str, list, dict)
WORDS = {bool: "true or false", str: "a text", list: "a list of tables", dict: "a table"}


@dataclass(frozen=True)
class TomlTable:
    """One table.  place: the key that leads to it, with its dot; empty for the whole file."""

    path: Path
    place: str
    values: dict[str, Any]

    @classmethod
    def read(cls, path: Path) -> "TomlTable":
        """The whole file.  Raises CourseError."""
        try:
            return cls(path, "", tomllib.loads(path.read_text()))
        except FileNotFoundError:
            raise CourseError(f"{path} is missing.") from None
        except ValueError as problem:  # of the text's encoding, or of TOML
            raise CourseError(f"{path} is not a TOML file: {problem}") from None

    def only(self, *known: str) -> None:
        """Raise CourseError for a key that nobody reads."""
        for key in self.values:
            if key not in known:
                raise self.problem(key, f"is not known; there are {', '.join(known) or 'none'}")

    def get(self, key: str, kind: type[Kind], default: Kind | None = None) -> Kind:
        """The value of a key.  Raises CourseError if it is missing without a default, or of another kind."""
        value = self._value(key, default)
        if type(value) is not kind:
            raise self.problem(key, f"must be {WORDS[kind]}")
        return value

    def number(self, key: str) -> float:
        """A number above 0.  Raises CourseError."""
        value = self._value(key)
        if type(value) not in (int, float) or not value > 0:
            raise self.problem(key, "must be a number above 0")
        return value

    def table(self, key: str) -> "TomlTable":
        """A table below this one; empty if it is not there.  Raises CourseError."""
        return TomlTable(self.path, f"{self.place}{key}.", self.get(key, dict, {}))

    def tables(self, key: str) -> list["TomlTable"]:
        """A list of tables; each is called by its name or its number, from 1.  Raises CourseError."""
        found = self.get(key, list)
        if not all(isinstance(values, dict) for values in found):
            raise self.problem(key, f"must be {WORDS[list]}")
        names = [values.get("name", number) for number, values in enumerate(found, 1)]
        return [TomlTable(self.path, f"{key}[{name}].", values) for name, values in zip(names, found, strict=True)]

    def problem(self, key: str, said: str) -> CourseError:
        """What is wrong with the value of a key."""
        return CourseError(f"{self.path}: {self.place}{key} {said}.")

    def _value(self, key: str, default: Any = None) -> Any:
        value = self.values.get(key, default)
        if value is None:
            raise self.problem(key, "is missing")
        return value
