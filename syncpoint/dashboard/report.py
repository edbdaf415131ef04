"""Serves what the tool of ``syncpoint similarity`` has reported: files to be looked at, from its folder alone."""

from pathlib import Path

from tornado.web import HTTPError, authenticated

from ..course.folder import SIMILARITY_REPORT
from .files import HTML, SandboxedHandler, found
from .html import render
from .source import Source

REPORT_ROUTE = r"/similarity/([^/]+)/(.*)"
# Everything else is shown as text; what a script would show is not shown.
TYPES = {".html": HTML, ".htm": HTML, ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg"}
TEXT = "text/plain; charset=utf-8"
PIECE = 2**20  # bytes that are sent at a time
LISTED = 1000


class ReportFile(SandboxedHandler):
    """One file of a report, or the list of all; for those who may see the dashboard, and its students' names."""

    def initialize(self, source: Source) -> None:
        """Tornado calls this with the route's arguments."""
        self._source = source

    @authenticated
    async def get(self, assignment: str, name: str) -> None:
        """Send it.  Links, and names that lead out of the report, are not found.  A report names students."""
        if self._source.people.anonymous:
            raise HTTPError(404)
        report = found(self._source.course.similarity, assignment, SIMILARITY_REPORT)
        if not name:
            self.set_header("Content-Type", HTML)
            self.finish(_list(assignment, report))
            return
        path = found(report, *name.split("/"))
        if not path.is_file():
            raise HTTPError(404)
        self.set_header("Content-Type", TYPES.get(path.suffix.lower(), TEXT))
        with path.open("rb") as file:
            while piece := file.read(PIECE):
                self.write(piece)
                await self.flush()
        self.finish()


def _list(assignment: str, report: Path) -> str:
    files = sorted(
        path.relative_to(report).as_posix() for path in report.rglob("*") if path.is_file() and not path.is_symlink()
    )
    return render("similarity.html", assignment=assignment, files=files[:LISTED], more=max(0, len(files) - LISTED))
