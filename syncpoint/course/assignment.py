"""What an assignment says of itself: ``grader_tests/<assignment>/assignment.toml``."""

import tomllib
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from ..core.limits import Limits
from ..core.settings import Settings
from .handed_in import LEAST, LEVELS, STILL, Rules

FILE = "assignment.toml"
TEXTS = ("title", "language", "engine", "scenarios", "graders", "interface")
KEYS = (*TEXTS, "opens", "minutes", "limits", "handed_in")
CHOICES: dict[str, tuple[str, ...]] = {"before_due": LEVELS, "when_due": STILL}  # of [handed_in]


@dataclass(frozen=True)
class AssignmentSettings:
    """The settings of one assignment.  What is not written there is None, or missing from ``limits``.

    Attributes:
        title: What people read.
        language: The language in which students get it, as "pt_BR".
        engine: The engine's name.
        scenarios: The assignment whose scenarios.py it uses, in place of one of its own.
        graders: The assignment whose hidden and visible tests judge it, too; its own go before them.
        interface: Which of the engine's array interfaces it is about; None for the first.
        opens: When students get it; a student's time factor counts from then to the due date.
        minutes: How long students need for it, reading included: an estimate, which they are told.
        limits: Some of the fields of `Limits`, by name.
        handed_in: Some of the fields of `Rules`, by name.
    """

    title: str | None = None
    language: str | None = None
    engine: str | None = None
    scenarios: str | None = None
    graders: str | None = None
    interface: str | None = None
    opens: datetime | None = None
    minutes: int | None = None
    limits: dict[str, Any] = field(default_factory=dict)
    handed_in: dict[str, Any] = field(default_factory=dict)

    def over(self, settings: Settings) -> Settings:
        """The settings that hold for it: what is written here goes before them, but not before the command line."""
        kept = settings.on_command_line
        limits = {name: value for name, value in self.limits.items() if name not in kept}
        engine = settings.engine if self.engine is None or "engine" in kept else self.engine
        language = settings.language if self.language is None or "language" in kept else self.language
        return replace(settings, engine=engine, language=language, limits=replace(settings.limits, **limits))


def read_assignment(path: Path) -> AssignmentSettings:
    """Read an assignment.toml; a missing one says nothing.

    Raises:
        ValueError: If it cannot be used; the text names the file.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return AssignmentSettings()
    except (OSError, ValueError) as problem:
        raise ValueError(f"{path} cannot be read: {problem}.") from None
    limits, rules = data.get("limits", {}), data.get("handed_in", {})
    for name, table in (("limits", limits), ("handed_in", rules)):
        if not isinstance(table, dict):
            raise ValueError(f"{path}: {name} must be a table, [{name}].")
    _only(path, data, KEYS, "")
    for key in TEXTS:
        if not isinstance(data.get(key, ""), str):
            raise ValueError(f"{path}: {key} must be a text.")
    opens = data.get("opens")
    if opens is not None and (not isinstance(opens, datetime) or opens.tzinfo is None):
        raise ValueError(f"{path}: opens must be a time with its zone, without quotes: 2026-02-15T12:00:00Z.")
    minutes = data.get("minutes")
    if minutes is not None and (type(minutes) is not int or minutes <= 0):
        raise ValueError(f"{path}: minutes must be a whole number above 0.")
    _only(path, limits, tuple(asdict(Limits())), "limits.")
    for name, value in limits.items():
        usual = getattr(Limits(), name)
        kinds = (int, float) if isinstance(usual, float) or name.endswith("seconds") else (int,)
        if type(value) not in kinds or value <= 0:
            raise ValueError(f"{path}: limits.{name} must be {'a' if float in kinds else 'a whole'} number above 0.")
    _only(path, rules, tuple(asdict(Rules())), "handed_in.")
    for name, value in rules.items():
        if name in CHOICES:
            if value not in CHOICES[name]:
                raise ValueError(f"{path}: handed_in.{name} must be one of {', '.join(map(repr, CHOICES[name]))}.")
        elif name == "spent":
            if not isinstance(value, str):
                raise ValueError(f"{path}: handed_in.{name} must be a text.")
        elif name == "refill_minutes":
            if type(value) not in (int, float) or value < LEAST:
                raise ValueError(f"{path}: handed_in.{name} must be a number above 0.")
        elif type(value) is not int or value < 0:
            raise ValueError(f"{path}: handed_in.{name} must be a whole number, 0 for any.")
    return AssignmentSettings(**data)


def _only(path: Path, table: dict[str, Any], known: tuple[str, ...], where: str) -> None:
    unknown = sorted(set(table) - set(known))
    if unknown:
        raise ValueError(f"{path}: nobody knows {where}{unknown[0]}; there are {', '.join(known)}.")
