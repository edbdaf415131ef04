"""The dashboard's files: feedback pages, and reports of the tool for ``syncpoint similarity``.

They contain students' work, so they are only displayed: without scripts, without rights, without outside resources.
"""

from pathlib import Path

from bokeh.server.views.auth_request_handler import AuthRequestHandler
from tornado.web import HTTPError, authenticated

from ..course.folder import SIMILARITY_REPORT
from .html import render
from .source import Source

FEEDBACK_ROUTE = r"/feedback/([^/]+)/([^/]+)/([^/]+)"
REPORT_ROUTE = r"/similarity/([^/]+)/(.*)"
HTML, TEXT = "text/html; charset=utf-8", "text/plain; charset=utf-8"
# Any other type is shown as text; content that needs a script is not shown.
TYPES = {".html": HTML, ".htm": HTML, ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg"}
PIECE = 2**20  # bytes sent at a time
LISTED = 1000
# A sandboxed page has no origin: nothing in it can read the dashboard, even if a script got past nbgrader.
POLICY = "sandbox allow-popups; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:"


class SandboxedHandler(AuthRequestHandler):
    """A handler whose responses can be displayed but not run, and are never cached."""

    def initialize(self, source: Source) -> None:
        """Tornado calls this with the route's arguments."""
        self._source = source

    def set_default_headers(self) -> None:
        """Tornado calls this for every answer."""
        self.set_header("Content-Security-Policy", POLICY)
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Cache-Control", "no-store")


def found(root: Path, *parts: str) -> Path:
    """Return the file at this path below a folder.

    Raises:
        HTTPError: 404 if there is no such file, or if links or names lead out of the folder.
    """
    try:
        root = root.resolve(strict=True)
        path = root.joinpath(*parts).resolve(strict=True)
    except (OSError, ValueError):  # no file can have this name
        raise HTTPError(404) from None
    # As text: Path would drop parts such as "." and empty names.
    if str(path) != "/".join([str(root), *parts]):
        raise HTTPError(404)
    return path


class FeedbackPage(SandboxedHandler):
    """One feedback page, for those who may see the dashboard."""

    @authenticated
    async def get(self, shown: str, assignment: str, notebook: str) -> None:
        """Send the page; 404 for links and for names that lead out of feedback/."""
        student = self._source.people.student(shown)
        if student is None:
            raise HTTPError(404)
        page = found(self._source.course.root / "feedback", student, assignment, f"{notebook}.html")
        if not page.is_file():
            raise HTTPError(404)
        self.set_header("Content-Type", HTML)
        self.finish(self._source.people.page_without_names(page.read_bytes(), student))


class ReportFile(SandboxedHandler):
    """One file of a report, or the list of all, for users who may see the dashboard with students' names."""

    @authenticated
    async def get(self, assignment: str, name: str) -> None:
        """Send it; 404 for links and for names that lead out of the report. A report names students."""
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
