"""Serves the feedback pages, which hold students' work: to be looked at only, with no script and no rights."""

from tornado.web import HTTPError, authenticated

from .files import HTML, SandboxedHandler, found
from .source import Source

FEEDBACK_ROUTE = r"/feedback/([^/]+)/([^/]+)/([^/]+)"


class FeedbackPage(SandboxedHandler):
    """One feedback page, for those who may see the dashboard."""

    def initialize(self, source: Source) -> None:
        """Tornado calls this with the route's arguments."""
        self._source = source

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
