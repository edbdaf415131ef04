"""An assignment's own settings: ``grader_tests/<assignment>/assignment.toml``."""

import tomllib
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from ..core.limits import Limits
from ..core.settings import Settings
from .on_submission import Rules
from .traits import check_keys, check_table
from .variants import Variants, read_variants

FILE = "assignment.toml"
TEXTS = ("title", "language", "engine", "scenarios", "graders", "interface")
KEYS = (*TEXTS, "opens", "minutes", "groups", "limits", "on_submission", "variants")


@dataclass(frozen=True)
class AssignmentSettings:
    """The settings of one assignment. A missing setting is None, or absent from ``limits``."""

    title: str | None = None  # the title that people read
    language: str | None = None  # the language of the release, such as "pt_BR"
    engine: str | None = None
    scenarios: str | None = None  # the assignment whose scenarios.py it uses instead of its own
    # the assignment whose hidden and visible tests also judge this one; its own tests have precedence
    graders: str | None = None
    interface: str | None = None  # the engine's array interface that it uses; None for the first
    opens: datetime | None = None  # when students get it; a time factor counts from then to the due date
    minutes: int | None = None  # estimated minutes for students, including reading; students see it
    groups: bool = False  # whether a group submits together: one submission counts for each of its members
    limits: dict[str, Any] = field(default_factory=dict)  # some of the fields of `Limits`, by name
    on_submission: dict[str, Any] = field(default_factory=dict)  # some of the fields of `Rules`, by name
    variants: Variants = field(default_factory=Variants)  # values that differ between students

    def over(self, settings: Settings) -> Settings:
        """Return the effective settings: the assignment's override the course's, and the command line both."""
        fixed = settings.on_command_line
        limits = {name: value for name, value in self.limits.items() if name not in fixed}
        engine = settings.engine if self.engine is None or "engine" in fixed else self.engine
        language = settings.language if self.language is None or "language" in fixed else self.language
        return replace(settings, engine=engine, language=language, limits=replace(settings.limits, **limits))


def read_assignment(path: Path) -> AssignmentSettings:
    """Read an assignment.toml (a missing file has no settings), or raise ValueError, which names the file."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return AssignmentSettings()
    except (OSError, ValueError) as problem:
        raise ValueError(f"{path} cannot be read: {problem}.") from None
    check_keys(path, data, KEYS)
    for key in TEXTS:
        if not isinstance(data.get(key, ""), str):
            raise ValueError(f"{path}: {key} must be a string.")
    opens = data.get("opens")
    if opens is not None and (not isinstance(opens, datetime) or opens.tzinfo is None):
        raise ValueError(f"{path}: opens must be a time with its zone, without quotes: 2026-02-15T12:00:00Z.")
    minutes = data.get("minutes")
    if minutes is not None and (type(minutes) is not int or minutes <= 0):
        raise ValueError(f"{path}: minutes must be a whole number above 0.")
    if not isinstance(data.get("groups", False), bool):
        raise ValueError(f"{path}: groups must be true or false.")
    check_table(path, "limits", data.get("limits", {}), Limits)
    check_table(path, "on_submission", data.get("on_submission", {}), Rules)
    return AssignmentSettings(**data | {"variants": read_variants(path, data.get("variants", {}))})
