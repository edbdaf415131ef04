"""What a course sets for those who judge."""

from dataclasses import dataclass, field

from .limits import Isolation, Limits


@dataclass(frozen=True)
class Settings:
    """engine: its environment is .venv-<engine>.  misconceptions_url: where students find the page; "" for nowhere.

    on_command_line: the names of those that were given there, which go before what an assignment says of itself.
    """

    engine: str
    isolation: Isolation = "bubblewrap"
    limits: Limits = field(default_factory=Limits)
    misconceptions_url: str = ""
    on_command_line: frozenset[str] = frozenset()
