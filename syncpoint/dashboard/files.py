"""Files that the dashboard hands out: pages of feedback, and what the tool of ``syncpoint similarity`` has reported.

They hold students' work, so they are only to be looked at: no script, no rights, and nothing from elsewhere.
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
# Everything else is shown as text; what a script would show is not shown.
TYPES = {".html": HTML, ".htm": HTML, ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg"}
PIECE = 2**20  # bytes that are sent at a time
LISTED = 1000
# A page in a sandbox has no origin: nothing in it could read the dashboard, even if a script got past nbgrader.
POLICY = "sandbox allow-popups; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:"


class SandboxedHandler(AuthRequestHandler):
    """What its answers show is only to be looked at, and is kept nowhere."""

    def initialize(self, source: Source) -> None:
        """Tornado calls this with the route's arguments."""
        self._source = source

    def set_default_headers(self) -> None:
        """Tornado calls this for every answer."""
        self.set_header("Content-Security-Policy", POLICY)
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Cache-Control", "no-store")


def found(root: Path, *parts: str) -> Path:
    """Return what lies at this place below a folder.

    Raises:
        HTTPError: 404 if nothing does, or if links or names lead elsewhere.
    """
    try:
        root = root.resolve(strict=True)
        path = root.joinpath(*parts).resolve(strict=True)
    except (OSError, ValueError):  # a name that no file can have
        raise HTTPError(404) from None
    # As text: Path itself would drop what leads nowhere, such as "." and an empty name.
    if str(path) != "/".join([str(root), *parts]):
        raise HTTPError(404)
    return path


class FeedbackPage(SandboxedHandler):
    """One feedback page, for those who may see the dashboard."""

    @authenticated
    async def get(self, shown: str, assignment: str, notebook: str) -> None:
        """Send the page.  Links, and names that lead out of feedback/, are not found."""
        student = self._source.people.student(shown)
        if student is None:
            raise HTTPError(404)
        page = found(self._source.course.root / "feedback", student, assignment, f"{notebook}.html")
        if not page.is_file():
            raise HTTPError(404)
        self.set_header("Content-Type", HTML)
        self.finish(self._source.people.page_without_names(page.read_bytes(), student))


class ReportFile(SandboxedHandler):
    """One file of a report, or the list of all; for those who may see the dashboard, and its students' names."""

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
