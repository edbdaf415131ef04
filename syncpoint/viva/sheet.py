"""The oral sheet: a page for each student, with code, questions, measured answers and room for marks."""

from __future__ import annotations

import ast
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, PackageLoader

from ..core.atomic_write import write_whole
from ..core.language import Language, language, speaking
from ..core.messages import say
from ..core.strip import strip_control
from ..doctor.browser import find_browser
from ..report.html import NOTHING, Html, join, tag
from ..report.timeline import picture
from .choose import COUNT, chance
from .measure import Question, Work
from .own_questions import Choice, Prepared
from .run import Asked

MOST_LINES = 15  # of a student's code next to a question
PRINT_SECONDS = 120


@dataclass(frozen=True)
class Line:
    """A line of code on the sheet.

    Attributes:
        number: From 1.
        text: As the student wrote it.
        new: The line after the change; None if it stays.
    """

    number: int
    text: str
    new: str | None


@dataclass(frozen=True)
class Item:
    """A question on the sheet.

    Attributes:
        exercise: Its name; "" for a prepared question about the assignment.
        question: The question's text.
        answer: The answer in sentences.
        lines: The code around the change.
        before, after: The pictures; equal pictures are shown once.
        about: The related misconceptions.
        measured: Whether the answer was measured.
        kind: The effect, one of CHOICES; "" if a person must decide.
    """

    exercise: str
    question: str
    answer: Sequence[str]
    lines: Sequence[Line] = ()
    before: Html = NOTHING
    after: Html = NOTHING
    about: str = ""
    measured: bool = True
    kind: str = ""


def write_sheet(path: Path, assignment: str, asked: Asked, choice: Choice, spoken: Language, seed: str) -> None:
    """Write a class's sheets as one HTML page for print; a file name in .pdf gives a PDF.

    Raises:
        NoBrowser: If a PDF is wanted and there is no Chromium.
        OSError: If the file cannot be written.
        subprocess.SubprocessError: If Chromium does not print it.
    """
    templates = Environment(
        loader=PackageLoader("syncpoint.viva", "."), autoescape=True, trim_blocks=True, auto_reload=False
    )
    templates.filters["coded"] = coded
    with speaking(spoken):
        students = [
            (strip_control(student), items(some, prepared(choice, asked.work[student], seed)))
            for student, some in asked.questions.items()
        ]
        page = templates.get_template("sheet.html").render(
            say=say, tag=language().tag, assignment=assignment, students=students, seed=seed, count=COUNT
        )
    if path.suffix.lower() != ".pdf":
        write_whole(path, page.encode())
        return
    with tempfile.TemporaryDirectory(prefix="syncpoint-viva-") as folder:
        source, target = Path(folder, "sheet.html"), Path(folder, "sheet.pdf")
        source.write_text(page, encoding="utf-8")
        command = [find_browser(), "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"]
        options = [f"--user-data-dir={folder}/profile", f"--print-to-pdf={target}", source.as_uri()]
        subprocess.run([*command, *options], check=True, capture_output=True, timeout=PRINT_SECONDS)
        write_whole(path, target.read_bytes())


def prepared(choice: Choice, work: Work, seed: str) -> list[Prepared]:
    """Return a student's questions in words, first those for everybody: of the assignment, or of solved exercises."""
    solved = {"", *(exercise for exercise, _ in work.jobs)}
    mine = [one for one in choice.prepared if one.exercise in solved]
    return sorted(mine, key=lambda one: (not one.always, chance(seed, work.name, str(one.question))))


def items(some: Sequence[Question], in_words: Sequence[Prepared]) -> list[Item]:
    """Return one student's questions, in the current language.

    A question in words for everybody takes the place of a measured one; the others fill up what is missing.
    """
    always = sum(one.always for one in in_words[:COUNT])
    own = [_item(question) for question in some][: COUNT - always]
    for one in in_words[: COUNT - len(own)]:
        question, answer = one.in_language(language().name)
        own.append(Item(one.exercise, question, [answer], measured=False, kind=one.kind))
    return own


def _item(question: Question) -> Item:
    before, after = picture(question.before), picture(question.after)
    return Item(
        question.exercise,
        str(question.change.sentence),
        [str(sentence) for sentence in question.sentences],
        code_around(question),
        before,
        NOTHING if after == before else after,
        ", ".join(question.misconceptions),
        kind=question.kind,
    )


def coded(text: str) -> Html:
    """Return a sentence with text between backticks as code."""
    parts = text.split("`")
    return join(*(tag("code", part) if place % 2 else part for place, part in enumerate(parts)))


def code_around(question: Question) -> list[Line]:
    """Return the lines of the changed function, as many as fit, with new lines marked."""
    edit = question.change.edit
    old, new = question.source.split("\n"), edit.source.split("\n")
    first, last = _function_around(question.source, edit.first, edit.last)
    if last - first >= MOST_LINES:
        first = max(first, min(edit.first - MOST_LINES // 2, last - MOST_LINES + 1))
        last = min(last, max(edit.last, first + MOST_LINES - 1))
    return [
        Line(number, strip_control(old[number - 1]), None if same else strip_control(new[number - 1]))
        for number in range(first, last + 1)
        for same in [old[number - 1] == new[number - 1]]
    ]


def _function_around(source: str, first: int, last: int) -> tuple[int, int]:
    """Return the outermost definition around these lines; all lines if there is none."""
    for node in ast.parse(source).body:
        end = node.end_lineno or node.lineno
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.lineno <= first and last <= end:
            return node.lineno, end
    return 1, source.count("\n") + 1
