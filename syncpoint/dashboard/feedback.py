"""Serves the feedback pages, which hold students' work: to be looked at only, with no script and no rights."""

from bokeh.server.views.auth_request_handler import AuthRequestHandler
from tornado.web import HTTPError, authenticated

from .source import Source

ROUTE = r"/feedback/([^/]+)/([^/]+)/([^/]+)"
# A page in a sandbox has no origin: nothing in it could read the dashboard, even if a script got past nbgrader.
POLICY = "sandbox allow-popups; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:"


class FeedbackPage(AuthRequestHandler):
    """One feedback page, for those who may see the dashboard."""

    def initialize(self, source: Source) -> None:
        """Tornado calls this with the route's arguments."""
        self._source = source

    @authenticated
    async def get(self, student: str, assignment: str, notebook: str) -> None:
        """Send the page.  Links, and names that lead out of feedback/, are not found."""
        page = self._source.feedback(student, assignment, notebook)
        root = self._source.course.root.resolve() / "feedback"
        try:
            found = page.resolve(strict=True)
        except (OSError, ValueError):  # a name that no file can have
            raise HTTPError(404) from None
        inside = found == root / student / assignment / f"{notebook}.html"
        if not inside or not found.is_relative_to(root) or not found.is_file():
            raise HTTPError(404)
        self.set_header("Content-Security-Policy", POLICY)
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Cache-Control", "no-store")
        self.finish(page.read_bytes())
