"""Lists the exchange at a visible log level, which nbgrader does not (``c.ExchangeFactory.list`` names it)."""

from typing import Any

from nbgrader.apps import ListApp
from nbgrader.exchange.default import ExchangeList


class List(ExchangeList):
    """nbgrader's list at a visible log level for `nbgrader list`; pages show their own results."""

    def list_files(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = super().list_files()
        self._tell(self._what, found)
        return found

    def remove_files(self) -> list[dict[str, Any]]:
        removed: list[dict[str, Any]] = super().remove_files()
        self._tell(f"{self._what}, now removed", removed)
        return removed

    @property
    def _what(self) -> str:
        return "handed in" if self.inbound or self.cached else "released"

    def _tell(self, what: str, found: list[dict[str, Any]]) -> None:
        if not isinstance(self.parent, ListApp):
            return
        if self.inbound or self.cached:
            lines = [self.format_inbound_assignment(info) for one in found for info in one["submissions"]]
        else:
            lines = [self.format_outbound_assignment(info) for info in found]
        print(f"{self.root}, {what}:{'' if lines else ' nothing.'}", *lines, sep="\n")
