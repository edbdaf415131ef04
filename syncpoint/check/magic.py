"""``%syncpoint check loops``, ``status``, ``ask loops ...``, ``viva`` and others: the commands of the notebook."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

from ..core.language import speaking
from ..core.messages import listed, say
from .ask import ask
from .errors import CannotAsk, CannotCheck
from .languages import change
from .render_result import plain, render
from .status import status
from .visible_tests import ABOUT, VISIBLE_FOLDER, Visible
from .viva import viva
from .what_if import Outcome, what_if

MAGIC = "%syncpoint "
_loaded: list[Visible] = []  # the visible tests of this kernel's notebook


def of_notebook() -> Visible:
    """Return the visible tests next to the notebook."""
    return _loaded[0] if _loaded else Visible(Path.cwd() / VISIBLE_FOLDER)


def load_ipython_extension(shell: Any) -> None:
    """Register the notebook's command, and set the engine's variables for gates before its import."""
    # The notebook's folder; its cells may change the working folder later.
    visible = Visible(Path.cwd() / VISIBLE_FOLDER)
    _loaded[:] = [visible]
    with contextlib.suppress(CannotCheck):
        visible.about.prepare()

    def syncpoint(line: str) -> None:
        """%syncpoint check EXERCISE: run the visible tests of an exercise of this assignment, with gates."""
        with speaking(visible.language):
            print_or_show(visible, line, shell.user_ns)

    shell.register_magic_function(syncpoint, "line")
    shell.input_transformers_cleanup.append(keep_question_marks)


def keep_question_marks(lines: list[str]) -> list[str]:
    """Keep IPython from reading a question that ends in "?" as a request for help."""
    return [_as_call(line) if line.lstrip().startswith(MAGIC) and line.rstrip()[-1:] == "?" else line for line in lines]


def _as_call(line: str) -> str:
    indent, text = line[: len(line) - len(line.lstrip())], line.strip().removeprefix(MAGIC)
    return f"{indent}get_ipython().run_line_magic('syncpoint', {text!r})\n"


def print_or_show(visible: Visible, line: str, namespace: dict[str, Any]) -> None:
    """Run the command and show its result, or print a sentence with the reason why not."""
    command, *names = [word.strip("`'\"") for word in line.split()[:4]] or [""]
    if command == "language":
        print(change(visible.folder.parent, names[0] if names else ""))
        return
    if command == "ask":
        _, exercise, question = [*line.split(maxsplit=2), "", ""][:3]
        try:
            print(ask(visible.folder.parent, exercise.strip("`'\""), question.strip(" \"'")))
        except CannotAsk as why:
            print(why)
        return
    if command in ("status", "viva"):
        words = [word.strip(" \"'`") for word in line.split(maxsplit=3)[1:]]
        answer, reports = viva(visible.folder.parent, words) if command == "viva" else status(visible.folder.parent)
        print(answer)
        if reports:
            from IPython.display import HTML, display

            display(HTML("\n".join(reports)))
        return
    try:
        if command == "what-if" and names:
            _show(what_if(visible, names[0], names[1:], namespace))
            return
        if not visible.exercises and (visible.folder / ABOUT).is_file():
            raise CannotCheck(say("check_none"))
        visible.about  # noqa: B018  # it says so if nothing is here
        if command != "check" or len(names) != 1:
            print(say("check_usage", exercises=listed(visible.exercises)))
            return
        found = visible.check(names[0], namespace)
    except CannotCheck as why:
        print(say("check_nothing", why=str(why)))
        return
    from IPython.display import display

    display({"text/html": render(names[0], found), "text/plain": plain(names[0], found)}, raw=True)


def _show(found: Outcome | str) -> None:
    if isinstance(found, str):
        print(found)
        return
    from IPython.display import display

    display({"text/html": found.html(), "text/plain": found.plain()}, raw=True)
