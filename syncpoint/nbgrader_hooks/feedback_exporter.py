"""nbgrader's way in when feedback is made: its usual exporter of pages, which tells what was written.

``c.GenerateFeedback.exporter_class`` names it.  nbgrader makes it once per run, after it has listed the submissions.
"""

from typing import Any

from nbconvert.exporters import HTMLExporter
from nbgrader.converters import GenerateFeedback

from .account import Account

BECAUSE = "nothing newer was graded; --force writes their pages again"


class FeedbackExporter(HTMLExporter):
    """Makes the pages that students read."""

    def __init__(self, **keywords: Any) -> None:
        super().__init__(**keywords)
        # nbconvert makes exporters for other ends too, without a converter as parent.
        if isinstance(self.parent, GenerateFeedback):
            account, convert = Account(self.parent, "Wrote feedback for", BECAUSE), self.parent.convert_notebooks

            def convert_and_tell() -> None:
                try:
                    convert()
                finally:
                    account.tell()

            self.parent.convert_notebooks = convert_and_tell
