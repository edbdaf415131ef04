"""Entry point for feedback: nbgrader's exporter with our page head, which reports what was written.

``c.GenerateFeedback.exporter_class`` names it.  nbgrader makes it once per run, after it has listed the submissions.
"""

import copy
from pathlib import Path
from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context
from nbconvert.exporters import HTMLExporter
from nbconvert.filters.markdown_mistune import MarkdownWithMath
from nbformat import NotebookNode
from nbgrader.converters import GenerateFeedback
from traitlets.config import Config

from ..check.ask_form import head
from ..core.language import language, speaking
from ..core.messages import say
from ..course.errors import CourseError
from ..course.folder import Course
from ..records.gradebook import gradebook_at
from ..report.formulas import MAX_PAGE_FORMULAS, FormulaRenderer
from ..report.page_size import small
from .feedback_level import total_shown, tries_shown
from .feedback_questions import language_of
from .feedback_run import FeedbackRun, Part, marked

TEMPLATES = Path(__file__).parent / "templates"
USUAL, OURS = "feedback", "syncpoint"  # names of templates; a configured template is kept


class FeedbackExporter(HTMLExporter):
    """Makes the pages that students read."""

    def __init__(self, config: Config | None = None, **keywords: Any) -> None:
        super().__init__(config=_with_our_head(config), **keywords)
        # nbconvert also creates exporters for other purposes, without a converter as parent.
        if isinstance(self.parent, GenerateFeedback) and not isinstance(self.parent, Part):
            FeedbackRun(self.parent)

    @pass_context
    def markdown2html(self, context: Context, source: str) -> str:
        """Nbconvert's filter for Markdown, with formulas as MathML."""
        left = context["resources"].setdefault("syncpoint_formulas", [MAX_PAGE_FORMULAS])
        attachments = context.get("cell", {}).get("attachments", {})
        renderer = FormulaRenderer(left, escape=False, attachments=attachments, **self.lexer_options)
        return str(MarkdownWithMath(renderer=renderer).render(source))

    def from_notebook_node(
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, **keywords: Any
    ) -> tuple[Any, dict[str, Any]]:
        if resources is not None and isinstance(self.parent, GenerateFeedback):
            course = Course(Path(self.parent.coursedir.root).absolute())
            with speaking(language_of(course, nb, resources)):
                content = self.parent.syncpoint_contents[resources["nbgrader"]["student"]]
                resources["syncpoint"] = {**_assignment(course, resources["nbgrader"]), "mark": content}
                page, known = super().from_notebook_node(nb, resources, **keywords)
                page = small(page).replace("<head>", f"<head>{head(content, language())}", 1)
                return marked(page, content), known
        return super().from_notebook_node(nb, resources, **keywords)


def _with_our_head(config: Config | None) -> Config | None:
    """Return the configuration with our template instead of nbgrader's."""
    if config is None or config.HTMLExporter.get("template_name") != USUAL:
        return config
    ours, usual = copy.deepcopy(config), config.HTMLExporter.extra_template_basedirs
    ours.HTMLExporter.template_name = OURS
    ours.HTMLExporter.extra_template_basedirs = [*usual, str(TEMPLATES)]
    ours.HTMLExporter.extra_template_paths = [*config.HTMLExporter.get("extra_template_paths", []), *usual]
    return ours


def _assignment(course: Course, about: dict[str, Any]) -> dict[str, Any]:
    """Return the gradebook's data on a student's assignment, and a function for texts in their language."""
    name = about["assignment"]
    try:
        title = course.graders(name).settings().title
    except CourseError:  # it has been graded, so it is shown
        title = None
    with gradebook_at(about["db_url"]) as gradebook:
        submission = gradebook.find_submission(name, about["student"])
        this = next(notebook for notebook in submission.notebooks if notebook.name == about["notebook"])
        unread = {grade.name for grade in this.grades if grade.needs_manual_grade}
        penalty = submission.late_submission_penalty or 0.0
        return {
            "say": say,
            "tag": language().tag,
            "title": language().texts.get("title", title) or name,
            "score": submission.score - penalty,
            "max_score": submission.max_score,
            "penalty": penalty,
            "notebooks": sorted((one.name, one.score, one.max_score) for one in submission.notebooks),
            "unread": unread,
            # A comment on an answer that has changed since: it is about an earlier text.
            "outdated": {
                grade.name for grade in this.grades if grade.needs_manual_grade and grade.manual_score is not None
            },
            "total": total_shown(course, gradebook.db(), about["student"], name),
            "tries": tries_shown(course, gradebook.db(), about["student"], name),
            "lost": any(grade.score < grade.max_score for grade in this.grades if grade.name not in unread),
        }
