"""Pages of a student's Jupyter server: their feedback from nbgrader's exchange, with a form under each exercise.

It is an extension of Jupyter's server. Names in an address are looked up among the student's own pages, and are no part
of any path.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.utils import url_path_join
from tornado.web import HTTPError, authenticated

from ..core.language import ENGLISH, speaking
from ..core.messages import say
from ..report.html import join, tag
from .ask import MAX_QUESTION_CHARACTERS, ask, digest, sent
from .ask_form import Page, anchor
from .errors import CannotAsk
from .status import Exchange
from .visible_tests import VISIBLE_FOLDER, Visible

AT = ("syncpoint", "feedback")
NAME = "([^/]+)"
# A page runs and loads nothing, no other page can show it, and its forms send only to this server.
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
LIST = """<!DOCTYPE html>
<html lang="{tag}"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>:root {{ color-scheme: light dark; background: Canvas; color: CanvasText; }}
body {{ font: 1em/1.6 sans-serif; max-width: 40em; margin: 2em auto;
padding: 0 1em; }}</style></head><body><h1>{title}</h1>{content}</body></html>"""


class Own(JupyterHandler):
    """A page that the server's user may see."""

    @property
    def content_security_policy(self) -> str:
        """The policy of all these pages."""
        return POLICY

    def exchange(self) -> Exchange:
        """Return the exchange of nbgrader's configuration on this machine, or raise HTTPError."""
        with contextlib.suppress(Exception):  # a configuration is a program
            return Exchange.configured()
        raise HTTPError(404)

    def address(self, *names: str) -> str:
        return str(url_path_join(self.base_url, *AT, *(quote(name, safe="") for name in names)))


class FeedbackList(Own):
    """Lists the student's pages."""

    @authenticated
    def get(self, *wanted: str) -> None:
        """Show the list, or the only page of the wanted course and assignment."""
        pages = {names: path for names, path in self.exchange().pages().items() if names[: len(wanted)] == wanted}
        if wanted and len(pages) == 1:
            self.redirect(self.address(*next(iter(pages))))
            return
        fetched = sorted(Path(self.settings["server_root_dir"]).expanduser().glob(f"*/*/{VISIBLE_FOLDER}"))
        known = [Page.read(path.read_text("utf-8", "replace")).language for path in list(pages.values())[-1:]]
        language = next(iter(known or (Visible(folder).language for folder in fetched)), ENGLISH)
        with speaking(language):
            links = [tag("li", tag("a", "/".join(names), href=self.address(*names))) for names in sorted(pages)]
            content = tag("ul", *links) if links else tag("p", say("feedback_none"))
            self.finish(LIST.format(tag=join(language.tag), title=join(say("feedback_all")), content=content))


class Feedback(Own):
    """Shows a page, and sends the questions of its forms."""

    @authenticated
    def get(self, *names: str) -> None:
        exchange = self.exchange()
        self.show(exchange, self.page(exchange, names), names)

    @authenticated
    def post(self, *names: str) -> None:
        """Send a question as ``%syncpoint ask`` does, and show the page again, or raise HTTPError."""
        exchange = self.exchange()
        page = self.page(exchange, names)
        course, assignment, _ = names
        exercise = self.get_body_argument("exercise", "")
        question = self.get_body_argument("question", "").replace("\r\n", "\n").strip()
        if exercise not in page.cells:
            raise HTTPError(400)
        with speaking(page.language):
            why = "" if 0 < len(question) <= MAX_QUESTION_CHARACTERS else say("form_hint", most=MAX_QUESTION_CHARACTERS)
            if not why:
                try:
                    ask(Path(course, assignment), exercise, question, exchange)
                except CannotAsk as problem:
                    why = str(problem)
        if why:
            self.set_status(400)
            self.show(exchange, page, names, (exercise, question[:MAX_QUESTION_CHARACTERS], why))
            return
        self.redirect(f"{self.address(*names)}#{anchor(digest(exercise, question))}", status=303)

    def page(self, exchange: Exchange, names: tuple[str, ...]) -> Page:
        """Return one of the student's pages, or raise HTTPError."""
        path = exchange.pages().get(names)  # type: ignore[arg-type]
        with contextlib.suppress(OSError):
            if path is not None:
                return Page.read(path.read_text("utf-8", "replace"))
        raise HTTPError(404)

    def show(
        self, exchange: Exchange, page: Page, names: tuple[str, ...], typed: tuple[str, str, str] = ("", "", "")
    ) -> None:
        """Send a page with its forms."""
        course, assignment, _ = names
        token = self.xsrf_token.decode()
        self.finish(page.with_forms(token, sent(exchange, assignment, course), self.address(), typed))


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: Any) -> None:
    base = url_path_join(server.web_app.settings["base_url"], *AT)
    pages = [(f"{base}/?", FeedbackList), (f"{base}/{NAME}/{NAME}/?", FeedbackList)]
    server.web_app.add_handlers(".*$", [*pages, (f"{base}/{NAME}/{NAME}/{NAME}", Feedback)])
