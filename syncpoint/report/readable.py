"""The nbgrader preprocessor that replaces nbconvert's SanitizeHTML: makes a graded notebook readable and safe.

What a student wrote or printed is shown as it was meant, without what a browser would run, if that can be done within
limits; else as plain text with a note.  It comes after everything that decides a score, and changes none.
"""

import string
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader.preprocessors import NbGraderPreprocessor

from ..core.language import ENGLISH, speaking
from ..core.messages import Message, say
from ..judge.cells import is_autograded
from .render_client import Rendered, renderer

LANGUAGE = "syncpoint_language"  # in the resources: the report's language
MAX_FORMATTED_CHARACTERS = 50_000  # characters of a text that is formatted: about twenty pages
PLAIN = 100_000  # characters of a piece that is shown as plain text
NOTEBOOK_SECONDS = 5.0  # processor seconds to format a whole notebook
NOTEBOOK_PAGE = 2**26  # characters of its pages
NOTEBOOK_PLAIN = 300_000  # characters of plain text in a notebook; even escaped text is slow to show

# Escapes all punctuation, so that Markdown, MathJax and nbconvert's filters find nothing to interpret.
ESCAPED = str.maketrans({sign: f"&#{ord(sign)};" for sign in string.punctuation})
ORIGINAL = "syncpoint_written"  # in a cell's metadata: its original text, if something else is shown


@dataclass
class Budget:
    """A notebook's remaining budget."""

    seconds: float = NOTEBOOK_SECONDS
    page: int = NOTEBOOK_PAGE
    plain: int = NOTEBOOK_PLAIN

    def show(self, kind: str, length: int, *arguments: Any) -> Rendered:
        """Try to show a piece with a text of this length."""
        if length > MAX_FORMATTED_CHARACTERS and kind != "outputs":  # the judge limits outputs
            return Rendered(None, Message.of("longer_than", length=MAX_FORMATTED_CHARACTERS), 0, 0)
        if self.seconds <= 0 or self.page <= 0:
            return Rendered(None, Message.of("notebook_formats_too_long"), 0, 0)
        shown = renderer().show(kind, *arguments)
        self.seconds -= shown.seconds
        self.page -= shown.page
        return shown

    def cut(self, text: str) -> str:
        """Return as much of a text as may be shown as plain text."""
        cut = text[: min(PLAIN, self.plain)]
        self.plain -= len(cut)
        return cut


class KeepReadable(NbGraderPreprocessor):
    """Shows a student's texts and outputs within limits of size and processor time, cell by cell."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Change the cells that cannot be shown as they are."""
        budget = Budget()
        with speaking(resources.get(LANGUAGE, ENGLISH)):
            for cell in nb.cells:
                cell.metadata.pop(ORIGINAL, None)
                if cell.cell_type == "code":
                    if not is_autograded(cell):  # the instructor's text and the judge's outputs need no check
                        _keep_code_readable(cell, budget)
                else:
                    _keep_text_readable(cell, budget)
        return nb, resources


def original_text(cell: NotebookNode) -> str:
    """Return a cell's original text, for a page that shows it as plain text."""
    return str(cell.metadata.get(ORIGINAL, cell.source))


def _keep_text_readable(cell: NotebookNode, budget: Budget) -> None:
    attachments = [cell.get("attachments", {})] if cell.cell_type == "markdown" else []
    shown = budget.show(cell.cell_type, len(cell.source), cell.source, *attachments)
    if shown.text is None:
        cut = budget.cut(cell.source)
        note = _note("this_text", shown.reason, len(cell.source), len(cut))
        cell.metadata[ORIGINAL] = f"{note}\n\n{cut}"
        # The reason may contain the student's names.
        cell.source = f"<pre>\n{cell.metadata[ORIGINAL].translate(ESCAPED)}\n</pre>"
        cell.pop("attachments", None)
    elif shown.text != cell.source:
        cell.metadata[ORIGINAL], cell.source = cell.source, shown.text


def _keep_code_readable(cell: NotebookNode, budget: Budget) -> None:
    notes = []
    shown = budget.show("code", len(cell.source), cell.source)
    if shown.text is None:
        cut = budget.cut(cell.source)
        notes.append(_note("this_code", shown.reason, len(cell.source), len(cut)))
        cell.source = cut
        cell.metadata["magics_language"] = "text"  # so that nbconvert does not look for Python in it
    texts = list(_texts(cell.outputs))
    printed = "".join(texts)
    shown = budget.show("outputs", len(printed), texts)
    if printed and shown.text is None:
        cut = budget.cut(printed)
        notes.append(_note("this_output", shown.reason, len(printed), len(cut)))
        cell.outputs = [new_output("stream", name="stdout", text=cut.replace("\x1b", ""))]
    cell.outputs += [new_output("stream", name="stderr", text=f"{note}\n") for note in notes]


def _texts(outputs: list[NotebookNode]) -> Iterator[str]:
    """Yield the texts in outputs, of student code and of the judge."""
    for output in outputs:
        if output.output_type == "stream":
            yield output.text
        elif output.output_type == "error":
            yield from output.traceback
        else:
            yield from output.data.values()


def _note(what: str, reason: Message, whole: int, shown: int) -> str:
    return say("shown_cut" if shown < whole else "shown_plain", what=say(what), reason=reason, whole=whole, shown=shown)
