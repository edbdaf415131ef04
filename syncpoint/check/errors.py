"""Why a notebook was not checked or does not pass, and why a question was not sent."""

from __future__ import annotations

from ..core.errors import SyncpointError


class CannotCheck(SyncpointError):
    """There is nothing to check, or the check is not possible; the text says why, and what to do."""


class CannotAsk(SyncpointError):
    """A question was not sent; the text says why, and what to do."""


class NotPassed(SyncpointError):
    """An exercise does not pass its checks; the text says which one, and why."""

    def _render_traceback_(self) -> list[str]:
        """Return what IPython shows instead of a traceback through this package."""
        return str(self).splitlines()
