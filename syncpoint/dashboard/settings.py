"""The operator's settings of the dashboard: where it listens, and who may log in."""

import json
from dataclasses import dataclass
from pathlib import Path

from ..core.errors import SyncpointError

PORT = 5006
FORMGRADER = "http://127.0.0.1:8888/formgrader"


class DashboardError(SyncpointError):
    """The dashboard cannot start; the message says why and what to do."""


@dataclass(frozen=True)
class Address:
    """Where the server listens: a port of this machine, or a Unix socket."""

    port: int = PORT
    unix_socket: Path | None = None
    prefix: str = ""  # the path under which a proxy serves the dashboard
    origins: tuple[str, ...] = ()  # host[:port] that browsers use instead of the server's own


@dataclass(frozen=True)
class Login:
    """Who may log in: by default, everybody who has the token.

    Raises:
        DashboardError: If the settings contradict each other.
    """

    passwords: Path | None = None  # a JSON file of names and passwords
    oauth: str = ""  # one of Panel's OAuth providers, for the users in ``allowed``
    allowed: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if self.passwords is not None and self.oauth:
            raise DashboardError("--passwords and --oauth cannot be used together: leave one of them out.")
        if self.passwords is not None and not self.passwords.is_file():
            raise DashboardError(
                f'{self.passwords} does not exist: create it with names and passwords, such as {{"ada": "..."}}.'
            )
        if self.oauth and not self.allowed:
            raise DashboardError(
                "--oauth needs --allow NAME for each user: without it, everybody with an account could log in."
            )


def read_passwords(path: Path) -> dict[str, str]:
    """Return names and their passwords.

    Read once: if the file disappears, Panel takes its name for a password that fits every user.

    Raises:
        DashboardError: If the file contains anything else.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise DashboardError(f"{path} is not valid JSON ({problem}).") from None
    if not isinstance(found, dict) or not found or not all(isinstance(word, str) and word for word in found.values()):
        raise DashboardError(f'{path} must contain names and passwords, such as {{"ada": "..."}}.')
    return found
