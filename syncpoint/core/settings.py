"""A course's settings for the judge."""

from dataclasses import dataclass, field

from .language import SOURCE
from .limits import Isolation, Limits


@dataclass(frozen=True)
class Settings:
    """A course's settings for the judge."""

    engine: str  # its name; its environment is .venv-<engine>
    isolation: Isolation = "bubblewrap"
    limits: Limits = field(default_factory=Limits)  # what student code may take
    misconceptions_url: str = ""  # where students find the page on misconceptions; "" for nowhere
    # in which releases are made and students read, as "pt_BR"; the others of a release lie below it
    language: str = SOURCE
    # the names of the settings that were given there, which go before what an assignment says of itself
    on_command_line: frozenset[str] = frozenset()
