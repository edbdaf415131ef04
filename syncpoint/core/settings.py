"""A course's settings for the judge."""

from dataclasses import dataclass, field

from .language import SOURCE
from .limits import Isolation, Limits


@dataclass(frozen=True)
class Settings:
    """A course's settings for the judge."""

    engine: str  # its name; its environment is .venv-<engine>
    isolation: Isolation = "bubblewrap"
    limits: Limits = field(default_factory=Limits)
    misconceptions_url: str = ""  # where students find the page on misconceptions; "" for nowhere
    # the language of releases and feedback, such as "pt_BR"; other languages of a release are in a subfolder
    language: str = SOURCE
    # names of settings given there, which override the assignment's own
    on_command_line: frozenset[str] = frozenset()
