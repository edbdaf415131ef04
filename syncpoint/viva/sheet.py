"""The oral sheet: a page for each student, with code, questions, measured answers and room for marks."""

from __future__ import annotations

import ast
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from jinja2 import Environment, PackageLoader

from ..core.atomic_write import write_whole
from ..core.language import Language, language, speaking
from ..core.messages import say
from ..core.strip import strip_control
from ..doctor.browser import find_browser
from ..report.html import NOTHING, Html, coded
from ..report.timeline_picture import legend, plain_picture, width_of
from .ask_class import Asked
from .choose import COUNT, chance
from .measure import Question, Work
from .own_questions import Choice, Prepared

MOST_LINES, WIDTH = 12, 68  # of a student's code next to a question, and the characters in a line of it
TASK = "reads-the-task"  # not a belief about asynchronous work
# Pixels on paper: of a page, around its questions, and of the parts of a question.
TALL, AROUND, HEAD, LINE, CODE_LINE, PICTURE = 1020, 120, 36, 14.5, 11.6, 90
PAGE, NARROW = 460, 250  # the width of a text that goes over most of the page, and next to code
PRINT_SECONDS = 120
NO_BELIEFS: Mapping[str, str] = {}


@dataclass(frozen=True)
class Line:
    """A line of code on the sheet."""

    number: str  # the number that the student sees, or "+" for a new line
    text: str  # the code
    kind: str = ""  # "old" if the change removes the line, "new" if the change adds it; else ""

    @property
    def height(self) -> int:
        """How many lines it takes on paper."""
        return 1 + max(len(self.text) - 1, 0) // WIDTH


@dataclass(frozen=True)
class Item:
    """A question on the sheet."""

    exercise: str  # its name; "" for a prepared question about the assignment
    question: str
    answer: Sequence[str]  # the answer in sentences
    lines: Sequence[Line] = ()  # the code around the change
    before: Html = NOTHING  # the pictures; equal pictures are shown once
    after: Html = NOTHING
    signs: Html = NOTHING  # the meaning of the signs in them
    called: str = ""  # how the exercise was called; "" if nobody has said it
    about: str = ""  # a related misconception
    measured: bool = True  # whether the answer was measured
    kind: str = ""  # the effect, one of CHOICES; "" if a person must decide


def write_sheet(
    path: Path,
    assignment: str,
    asked: Asked,
    choice: Choice,
    spoken: Language,
    seed: str,
    beliefs: Mapping[str, str] = NO_BELIEFS,
) -> None:
    """Write a class's sheets as one HTML page for print; a file name in .pdf gives a PDF.

    ``beliefs`` are the titles of misconceptions in this language, by name.

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
            (
                strip_control(student),
                mine := items(some, prepared(choice, asked.work[student], seed), choice, beliefs),
                _zoom(mine),
                legend(shown for question in some for shown in (question.before, question.after)),
            )
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


def _zoom(found: Sequence[Item]) -> float:
    """By how much a page has to shrink so that these questions fit."""
    height = float(AROUND)
    for item in found:
        texts = [item.question, *item.answer, *[item.about] * bool(item.about)]
        words = LINE * (1 + sum(1 + width_of(text) // (NARROW if item.lines else PAGE) for text in texts))
        code = CODE_LINE * sum(line.height for line in item.lines)
        height += HEAD + max(words, code) + (PICTURE if item.before else 0)
        height += CODE_LINE * (width_of(item.called) // PAGE)
    return round(min(1.0, TALL / height), 2)


def prepared(choice: Choice, work: Work, seed: str) -> list[Prepared]:
    """Return a student's questions in words, first those for everybody: of the assignment, or of solved exercises."""
    solved = {"", *(exercise for exercise, _ in work.jobs)}
    mine = [one for one in choice.prepared if one.exercise in solved]
    return sorted(mine, key=lambda one: (not one.always, chance(seed, work.name, str(one.question))))


def items(
    some: Sequence[Question], in_words: Sequence[Prepared], choice: Choice, beliefs: Mapping[str, str] = NO_BELIEFS
) -> list[Item]:
    """Return one student's questions, in the current language.

    A question in words for everybody takes the place of a measured one; the others fill up what is missing.
    """
    always = sum(one.always for one in in_words[:COUNT])
    own = [_item(question, choice, beliefs) for question in some][: COUNT - always]
    for one in in_words[: COUNT - len(own)]:
        question, answer = one.in_language(language().name)
        own.append(Item(one.exercise, question, [answer], measured=False, kind=one.kind))
    return own


def _item(question: Question, choice: Choice, beliefs: Mapping[str, str]) -> Item:
    before, after = plain_picture(question.before), plain_picture(question.after)
    titles = [beliefs[slug] for slug in question.misconceptions if slug in beliefs and slug != TASK]
    return Item(
        question.exercise,
        str(question.change.sentence),
        [str(sentence) for sentence in question.sentences],
        code_around(question),
        before,
        NOTHING if after == before else after,
        legend((question.before, question.after)),
        choice.how(question.exercise, language().name),
        # Of a program that simply computes something else, all tests fail: that says nothing about a belief.
        "" if question.plain else next(iter(titles), ""),
        kind=question.kind,
    )


def code_around(question: Question) -> list[Line]:
    """Return the lines of the changed function, as many as fit, with new lines marked; always its first line.

    Docstrings, which come from the notebook, are left out.
    """
    edit = question.change.edit
    first, last = _function_around(question.source, edit.first, edit.last)
    texts = _docstrings(question.source)
    both = _compared(question.source.split("\n"), edit.source.split("\n"), first, last)
    lines = [line for line in both if line.kind or line.number not in texts]
    if sum(line.height for line in lines) <= MOST_LINES:
        return lines
    changed = [place for place, line in enumerate(lines) if line.kind]
    begin, end = min(changed, default=0), max(changed, default=0) + 1
    left = MOST_LINES - sum(line.height for line in lines[begin:end]) - lines[0].height - 1
    while True:
        before = lines[begin - 1].height if begin else MOST_LINES
        after = lines[end].height if end < len(lines) else MOST_LINES
        if min(before, after) > left:
            break
        if before <= left:
            begin, left = begin - 1, left - before
        if end < len(lines) and after <= left:
            end, left = end + 1, left - after
    head = [lines[0]] if begin == 1 else [lines[0], Line("", "...")] if begin else []
    return [*head, *lines[begin:end], *[Line("", "...")] * (end < len(lines))]


def _compared(old: Sequence[str], new: Sequence[str], first: int, last: int) -> Iterator[Line]:
    """The lines of both codes from the first to the last one, each once; a line in its place is not shown as new."""
    one, other = old[first - 1 : last], new[first - 1 : last]
    for kind, begin, end, from_, to in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        mark = "" if kind == "equal" else "old"
        for place in range(begin, end):
            if not mark or one[place].strip():
                yield Line(str(first + place), strip_control(one[place]), mark)
        for text in other[from_:to] if mark else ():
            if text.strip() not in ("", "pass"):
                yield Line("+", strip_control(text), "new")


def _docstrings(source: str) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node) is not None:
            text = node.body[0]
            found.update(map(str, range(text.lineno, (text.end_lineno or text.lineno) + 1)))
    return found


def _function_around(source: str, first: int, last: int) -> tuple[int, int]:
    """Return the outermost definition around these lines; all lines if there is none."""
    for node in ast.parse(source).body:
        end = node.end_lineno or node.lineno
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.lineno <= first and last <= end:
            return node.lineno, end
    return 1, source.count("\n") + 1
