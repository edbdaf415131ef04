"""The data for a report other than the result."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ..core.language import language
from ..core.messages import Message
from ..core.results import TestResult
from ..core.settings import Settings
from .misconceptions_page import Misconception, read_misconceptions


@dataclass(frozen=True)
class Background:
    """The data for a report other than the result."""

    banner: str = ""  # the operator's sentence for every report
    # the sections of the course's page, by name
    misconceptions: Mapping[str, Misconception] = field(default_factory=dict)
    url: str = ""  # the address of the whole page; "" for none

    @classmethod
    def of(cls, settings: Settings, page: Path) -> "Background":
        """Return the background with a course's settings and misconceptions, in the current language."""
        banner = str(Message("unguarded")) if settings.isolation == "none" else ""
        return cls(
            banner, read_misconceptions(page), settings.misconceptions_url.replace("{language}", language().name)
        )

    def explains(self, test: TestResult) -> Misconception | None:
        """Return the section for a failed test; None if it passed or no section fits."""
        return None if test.passed else self.misconceptions.get(test.misconception)
