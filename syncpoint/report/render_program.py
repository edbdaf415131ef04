"""The program that tries how to show pieces of a notebook: ``python -m syncpoint.report.render_program``.

It converts each piece as ``generate_feedback`` and formgrader will.  Their libraries take minutes for some texts of a
few kilobytes and fail for others, so they run in a separate process, which may be killed; :mod:`.render_client` starts
it.  Each input line is a piece and each output line an answer, as JSON.
"""

import html
import json
import os
import re
import resource
import signal
import sys
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from bs4 import BeautifulSoup
from nbconvert.filters import Highlight2HTML, ansi2html, clean_html, strip_files_prefix
from nbconvert.filters.markdown_mistune import InvalidNotebook, IPythonRenderer, MarkdownWithMath
from nbconvert.preprocessors.sanitize import SanitizeHTML

from ..core.messages import Message, to_data, words
from ..core.strip import strip_control

MEMORY = 2**31  # bytes of address space
PAGE = 2**25  # characters of a formatted piece: a text may name one large picture a thousand times
SHOWN = words("")  # no reason against it
SCHEMES = ("javascript:", "vbscript:", "data:text")  # links that a browser would run

_clean = SanitizeHTML().sanitize_html_tags
_highlight = Highlight2HTML(pygments_lexer="ipython3")


def show_markdown(text: str, attachments: dict[str, dict[str, str]]) -> tuple[str, str]:
    """Return the text without anything that a browser would run, and its page."""
    text = _clean(without_script_links(text))
    if "<" not in text:  # so nothing can open a tag; and code would show an entity as it is: y &gt; 0
        text = text.replace("&gt;", ">")
    renderer = IPythonRenderer(escape=False, attachments=attachments)
    return text, strip_files_prefix(MarkdownWithMath(renderer=renderer).render(text))


def show_raw(text: str) -> tuple[str, str]:
    """Return the text without anything that a browser would run, and its page."""
    text = _clean(text)
    return text, clean_html(text)


def show_code(text: str) -> tuple[str, str]:
    """The text as it is, and its page."""
    return text, _highlight(text)


def show_outputs(texts: list[str]) -> tuple[str, str]:
    """Nothing to change, and the page."""
    return "", "".join(map(ansi2html, texts))


SHOW: dict[str, Callable[..., tuple[str, str]]] = {
    "markdown": show_markdown,
    "raw": show_raw,
    "code": show_code,
    "outputs": show_outputs,
}


def without_script_links(source: str) -> str:
    """Show the links of a text as plain text if one of them would run a script in the reader's browser.

    Markdown's renderer lets them pass; it undoes entities, and browsers ignore white space in a scheme.
    """
    plain = re.sub(r"[\s\\\x00-\x20]", "", unquote(html.unescape(source))).lower()
    if not any(scheme in plain for scheme in SCHEMES):
        return source
    return source.replace("[", "\\[").replace("<", "&lt;")


def attempt(kind: str, arguments: list[Any]) -> dict[str, Any]:
    """Show a piece.

    Returns its text or None, the reason, the processor seconds that it took, and the characters of its page.
    """
    begun = time.process_time()
    text, page, reason = None, "", SHOWN
    try:
        text, page = SHOW[kind](*arguments)
        if len(page) > PAGE:
            raise MemoryError
        str(BeautifulSoup(page, "html.parser"))
    except InvalidNotebook as problem:
        reason = Message.of("no_picture", why=strip_control(str(problem))[:100])
    except (MemoryError, RecursionError):
        reason = Message.of("too_deep")
    except Exception as problem:  # these libraries may raise any error
        reason = Message.of("no_format_for", type=type(problem).__name__)
    seconds = time.process_time() - begun
    return _reply(text if reason is SHOWN else None, reason, seconds, len(page))


def _reply(text: str | None, reason: Message, seconds: float, page: int = 0) -> dict[str, Any]:
    return {"text": text, "reason": to_data(reason), "seconds": seconds, "page": page}


def serve(seconds: float) -> None:
    """Answer requests until the pipe closes. A piece over its processor time ends the process."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    for line in sys.stdin:
        kind, *arguments = json.loads(line)
        # The system enforces the limit, even inside a library's C code.
        signal.setitimer(signal.ITIMER_PROF, seconds)
        answer = attempt(kind, arguments)
        signal.setitimer(signal.ITIMER_PROF, 0)
        print(json.dumps(answer), flush=True)


def main(seconds: float) -> None:
    """Let a child answer, and another one continue when it ends: importing takes longer than a fork."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process decides
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    while True:
        child = os.fork()
        if not child:
            serve(seconds)
            os._exit(0)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status == 0:
            return
        # If no limit ended it: out of memory, or a fault in a library's C code.
        reason = Message.of("formats_too_long" if status == -signal.SIGPROF else "no_format")
        print(json.dumps(_reply(None, reason, seconds)), flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]))
