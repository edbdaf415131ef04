"""A course's settings for the judge."""

from dataclasses import dataclass, field

from .language import SOURCE
from .limits import Isolation, Limits


@dataclass(frozen=True)
class Settings:
    """A course's settings for the judge.

    Attributes:
        engine: Its name; its environment is .venv-<engine>.
        limits: What student code may take.
        misconceptions_url: Where students find the page on misconceptions; "" for nowhere.
        language: In which releases are made and students read, as "pt_BR"; the others of a release lie below it.
        on_command_line: The names of the settings that were given there, which go before what an assignment says of
            itself.
    """

    engine: str
    isolation: Isolation = "bubblewrap"
    limits: Limits = field(default_factory=Limits)
    misconceptions_url: str = ""
    language: str = SOURCE
    on_command_line: frozenset[str] = frozenset()
