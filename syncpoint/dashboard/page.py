"""The page: the choice of view and assignment, the view, and its address."""

import logging
from contextlib import nullcontext
from typing import Any

import panel as pn
import param
from bokeh.document import Document
from bokeh.io import curdoc
from bokeh.models import CustomJS
from panel.template import FastListTemplate
from panel.theme.fast import Fast

from . import queries
from .accessible import SCRIPT
from .html import Html, render
from .refresh import Refresh
from .source import Source
from .url_state import VIEWS, UrlState
from .views.answers import AnswersView
from .views.classroom import ClassView
from .views.cost import CostView
from .views.exercises import ExercisesView
from .views.health import HealthView
from .views.misconceptions import MisconceptionsView
from .views.questions import QuestionsView
from .views.students import StudentsView
from .views.view import View

MAKERS: dict[str, type[View]] = {
    "class": ClassView,
    "exercises": ExercisesView,
    "misconceptions": MisconceptionsView,
    "students": StudentsView,
    "answers": AnswersView,
    "questions": QuestionsView,
    "health": HealthView,
    "cost": CostView,
}
CHOSEN = """
.bk-btn.bk-active { color: white !important }
.bk-btn-group { flex-wrap: wrap }
.bk-btn-group .bk-btn { flex: 1 0 auto }
"""
ON_A_PHONE = "@media (max-width: 600px) { #header .title { font-size: 1rem } }"
# Panel writes to the browser's history but does not notice a step back, so the page is loaded again.
ON_BACK = 'window.addEventListener("popstate", () => window.location.reload());'
# Google's fonts are left out: only this machine learns who reads what.
Fast._resources.pop("font", None)
NO_ASSIGNMENT = "The gradebook has no assignment yet. Add one with `nbgrader generate_assignment <assignment>`."


class Page:
    """What one browser window shows."""

    def __init__(self, source: Source):
        self._source, self.url_state = source, UrlState()
        self._views: dict[str, View] = {}
        self._chooser = pn.widgets.RadioButtonGroup(
            options={text: key for key, text in VIEWS.items()}, button_type="primary", button_style="outline",
            stylesheets=[CHOSEN], styles={"max-width": "100%"},
        )  # fmt: skip
        self._chooser.link(self.url_state, value="view", bidirectional=True)
        self._assignment = pn.widgets.Select(label="Assignment", options=self._names(), width=240)
        self._body = pn.Column(sizing_mode="stretch_width")
        self._wrong = Html(visible=False, sizing_mode="stretch_width")
        self.layout = pn.Column(
            pn.FlexBox(self._chooser, self._assignment, align_items="end", gap="12px"),
            self._wrong,
            self._body,
            sizing_mode="stretch_width",
        )
        self._follow_the_address()
        self._assignment.value = self.url_state.assignment or None
        self._assignment.link(self.url_state, value="assignment", bidirectional=True)
        chosen = ["view", "assignment", "student", "misconception", "kind"]
        self.url_state.param.watch(lambda *_: self._chosen(), chosen)
        self.update()

    def _names(self) -> list[str]:
        return self._source.read(queries.assignments, "").assignment.tolist()

    def _follow_the_address(self) -> None:
        """Show what the address asks for when the page opens; from then on, keep the address up to date."""
        location = pn.state.location
        self._go(location.search if location is not None else "")
        if location is not None:
            self.url_state.param.watch(
                lambda *_: location.param.update(search=self.url_state.query(location.search)),
                [name for name in UrlState.param if name != "name"],
            )

    def _go(self, query: str) -> None:
        """Go to an address; to the first assignment if it names none that exists."""
        names = self._assignment.options
        with param.parameterized.batch_call_watchers(self.url_state):
            self.url_state.go(query)
            if self.url_state.assignment not in names:
                self.url_state.assignment = names[0] if names else ""

    def say_wrong(self, problem: BaseException) -> None:
        """Show on the page that something went wrong, and log the details."""
        logging.getLogger("syncpoint.dashboard").error("a page could not be shown", exc_info=problem)
        self._wrong.object = render("error.html", error=type(problem).__name__)
        self._wrong.visible = True

    def _chosen(self) -> None:
        """Show what the user chose, as the gradebook is now."""
        self._source.cache.look()
        self.update()

    def update(self) -> None:
        """Bring the open view up to date; if it cannot be shown, a sentence says so."""
        try:
            with self._source.cache.still():
                self._update()
        except Exception as problem:
            self._body[:] = []
            self.say_wrong(problem)
        else:
            self._wrong.visible = False

    def _update(self) -> None:
        if not self.url_state.assignment:
            self._body[:] = [pn.pane.Markdown(NO_ASSIGNMENT)]
            return
        view = self._views.get(self.url_state.view)
        if view is None:
            view = self._views[self.url_state.view] = MAKERS[self.url_state.view](self._source, self.url_state)
        view.update()
        if list(self._body) != [view.layout]:
            self._body[:] = [view.layout]

    def refresh(self) -> None:
        """Bring the page up to date after a submission arrived or the gradebook changed."""
        # A page that is loaded gets all changes in one message.  Before, Panel would drop what it holds.
        with pn.io.hold() if pn.state.loaded else nullcontext(), self._source.cache.still():
            if (names := self._names()) != self._assignment.options:
                self._assignment.options = names
            self.update()


class Template(FastListTemplate):
    """Panel's template, described to Bokeh once when it is complete instead of once for each part."""

    def server_doc(self, doc: Document | None = None, *arguments: Any, **options: Any) -> Document:
        """Put the page into a document."""
        document = doc or curdoc()
        with document.models.freeze():
            return super().server_doc(document, *arguments, **options)


def make_page(source: Source, refresh: Refresh) -> Template:
    """The page of one browser window."""
    page = Page(source)
    if pn.state.curdoc is not None:
        pn.config.exception_handler = page.say_wrong  # for events of this window
        refresh.add(pn.state.curdoc, page.refresh)
        pn.state.curdoc.js_on_event("document_ready", CustomJS(code=ON_BACK + SCRIPT))
    return Template(
        title=f"Syncpoint: {source.course.id}{' (anonymous)' if source.people.anonymous else ''}",
        main=[page.layout],
        main_layout=None,
        busy_indicator=None,  # Panel's indicator turns in every window while any page is busy, and costs time in each
        font_url="",
        raw_css=[ON_A_PHONE],
        accent="#2f6fb0",
        meta_viewport="width=device-width, initial-scale=1",
    )
