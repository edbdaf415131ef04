"""What an operator says about the dashboard: where it listens, and who gets in."""

import json
from dataclasses import dataclass
from pathlib import Path

from ..core.errors import SyncpointError

PORT = 5006
FORMGRADER = "http://127.0.0.1:8888/formgrader"


class DashboardError(SyncpointError):
    """The dashboard cannot start; the text says why and what to do."""


@dataclass(frozen=True)
class Address:
    """Where the server listens: a port of this machine, or a Unix socket.

    Attributes:
        prefix: The path that a proxy keeps in front of ours.
        origins: Host[:port] that browsers see instead of ours.
    """

    port: int = PORT
    unix_socket: Path | None = None
    prefix: str = ""
    origins: tuple[str, ...] = ()


@dataclass(frozen=True)
class Login:
    """Who gets in: whoever has the token, if nothing else is said.

    Attributes:
        passwords: A JSON file of names and passwords.
        oauth: One of Panel's providers, for those in ``allowed``.

    Raises:
        DashboardError: Where they do not fit together.
    """

    passwords: Path | None = None
    oauth: str = ""
    allowed: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if self.passwords is not None and self.oauth:
            raise DashboardError("passwords or OAuth, not both: leave one of --passwords and --oauth out.")
        if self.passwords is not None and not self.passwords.is_file():
            raise DashboardError(
                f'{self.passwords} is missing: write names and passwords into it, as {{"ada": "..."}}.'
            )
        if self.oauth and not self.allowed:
            raise DashboardError("say who may come in, or everybody with an account does: --allow NAME, once for each.")


def read_passwords(path: Path) -> dict[str, str]:
    """Return names and their passwords.

    Read once: Panel takes the name of a file that goes away for a password that fits every name.

    Raises:
        DashboardError: For a file that holds anything else.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise DashboardError(f"{path} cannot be read as JSON ({problem}).") from None
    if not isinstance(found, dict) or not found or not all(isinstance(word, str) and word for word in found.values()):
        raise DashboardError(f'{path} must hold names and passwords, as {{"ada": "..."}}.')
    return found
