"""The hub's pages in the language of whoever reads them: as the roster has it, else as their browser asks.

JupyterHub makes a page in English; before it is sent, the words of the catalogue `hub` take the place of the English.
"""

import asyncio
import json
import re
import subprocess
import sys
import time
from functools import cache
from html import escape, unescape
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from tornado.httputil import HTTPHeaders, HTTPServerRequest
from tornado.web import OutputTransform

from deploy.settings import Hub
from syncpoint.core.language import SOURCE, Language
from syncpoint.course.folder import Course
from syncpoint.translations.catalogue import languages, translated
from syncpoint.translations.messages import HUB

ROOT = Path(__file__).resolve().parents[1]
ROSTER = Path(__file__).with_name("roster_languages.py")
SECONDS, MOST = 60, 1 << 20  # that a course may take, on a busy machine, and bytes that it may say
FRESH = 60  # seconds in which a class that logs in at once is looked up once
PATIENCE = 10  # seconds that somebody who logs in waits for it; their next page knows
READER = re.compile(r'<meta name="reader-language" content="([\w-]*)">')
# A script, a comment, a tag, or what stands between two.
PART = re.compile(r"<script\b.*?</script>|<style\b.*?</style>|<!--.*?-->|<[^>]*>|[^<]+", re.DOTALL)
LABEL = re.compile(r'\b(aria-label|title|alt|placeholder)="([^"]*)"')
BUTTON = re.compile(r"""\b(value)=['"]([^'"]*)['"]""")  # of an input: what a person may have typed stands in others
QUOTED = re.compile(r"""(['"])((?:(?!\1)[^\\\n])*)\1""")
PROGRESS = re.compile(r"/api/users/([^/]+)/servers?/(?:[^/]+/)?progress$")
HEARD = "data: "  # what a line of the stream of events begins with
Said = tuple[int, HTTPHeaders, bytes]


@cache
def known() -> dict[str, Language]:
    """The languages that the hub's pages can be in beside English."""
    course = Course(ROOT)
    found = {}
    for name in languages(course):
        words = {english: str(said) for (_, english), said in translated(course, name, HUB).by_context.items()}
        if words:
            found[name] = Language(name, Catalog(locale=name).plural_expr, sentences=words)
    return found


# --- who reads what -----------------------------------------------------------------------------------------------


class Readers:
    """The languages that the rosters of the hub's courses give its people.

    Args:
        hub: With the courses.  Where it has accounts, each roster is read as the course's own: what lies in the folder
            of a course is its graders', and the hub is root.
    """

    def __init__(self, hub: Hub):
        self._hub = hub
        self._rosters: dict[str, dict[str, str]] = {}  # by course; what is read now is seen when all of it is there
        self._read_at = float("-inf")
        self._reading: asyncio.Future[None] | None = None

    def of(self, name: str) -> str:
        """The language of a person; "" if no roster says one."""
        courses = self._hub.courses.items()
        found = (self._rosters.get(course, {}).get(name) for course, about in courses if name in about.students)
        return next(filter(None, found), "")

    def read(self) -> None:
        """Read the rosters; of one that cannot be read now it is known what was known."""
        for name, course in self._hub.courses.items():
            roster = self._roster(course.folder, course.account)
            if roster is not None:
                self._rosters[name] = roster
        self._read_at = time.monotonic()

    async def refresh(self) -> None:
        """Read them again, unless that was done just now; and wait for it, as long as somebody has the patience."""
        if time.monotonic() - self._read_at < FRESH:
            return
        if self._reading is None or self._reading.done():
            self._reading = asyncio.ensure_future(asyncio.to_thread(self.read))
        await asyncio.wait({self._reading}, timeout=PATIENCE)

    def _roster(self, folder: Path, account: str) -> dict[str, str] | None:
        become = ["runuser", "-u", account, "--"] if self._hub.accounts else []
        command = ["timeout", "--kill-after=1", str(SECONDS), *become, sys.executable, str(ROSTER), str(folder)]
        # Nothing of the hub's own environment, in which secrets stand.
        clean = {"PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"}
        try:
            with subprocess.Popen(
                command,
                cwd=folder,
                env=clean,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            ) as process:
                assert process.stdout is not None
                said = json.loads(process.stdout.read(MOST))
            return {name: language for name, language in said.items() if language == SOURCE or language in known()}
        except (OSError, ValueError, AttributeError, TypeError):
            return None


def asked_for(accepted: str) -> str:
    """The first of the languages that a browser asks for that there is.

    Args:
        accepted: What it says: "zh-CN,zh;q=0.9,en;q=0.8".

    Returns:
        Its name; that of the source if there is none.
    """
    wanted = []
    for part in accepted.split(","):
        tag, _, rest = part.strip().partition(";")
        found = re.search(r"q=(\d(?:\.\d+)?)", rest)
        wanted.append((-float(found[1]) if found else -1.0, tag.replace("-", "_").lower()))
    there = {name.lower(): name for name in (SOURCE, *known())}
    kinds = {name.partition("_")[0]: name for name in there.values()}
    for _, tag in sorted(wanted, key=lambda row: row[0]):
        if name := there.get(tag) or kinds.get(tag.partition("_")[0]):
            return name
    return SOURCE


# --- the words ----------------------------------------------------------------------------------------------------


def sentence(text: str, language: Language) -> str:
    """A text of JupyterHub's, which may end with a value: "Server ready at /user/ada/"."""
    for english, said in language.sentences.items():
        start, place, name = english.partition("{")
        if place and text.startswith(start):
            return said.replace(place + name, language.word(text[len(start) :]))
    return language.word(text)


def page_in(page: str, language: Language) -> str:
    """A page of JupyterHub's in another language: what stands between tags, in labels, and in quotes in scripts."""

    def between(text: str) -> str:
        plain = " ".join(unescape(text).split())
        said = sentence(plain, language)
        return text if said == plain else text.replace(text.strip(), escape(said), 1)

    def label(found: re.Match[str]) -> str:
        said = language.word(unescape(found[2]))
        return f'{found[1]}="{escape(said)}"'

    def quoted(found: re.Match[str]) -> str:
        said = language.word(found[2])
        return found[0] if said == found[2] else json.dumps(said).replace("<", "\\u003c")

    def part(found: re.Match[str]) -> str:
        text = found[0]
        if text.startswith("<script"):
            return QUOTED.sub(quoted, text)
        if text.startswith(("<style", "<!--")):
            return text
        if text.startswith("<html"):
            return text.replace(f'lang="{SOURCE}"', f'lang="{language.tag}"')
        if text.startswith("<"):
            text = BUTTON.sub(label, text) if 'type="submit"' in text else text
            return LABEL.sub(label, text)
        return between(text)

    return PART.sub(part, page)


def event_in(line: str, language: Language) -> str:
    """A line of the stream in which a page hears how far a server is."""
    try:
        event = json.loads(line.removeprefix(HEARD)) if line.startswith(HEARD) else None
    except ValueError:
        return line
    if not isinstance(event, dict):
        return line
    for name, put in (("message", sentence), ("html_message", page_in)):
        if isinstance(event.get(name), str):
            event[name] = put(event[name], language)
    return HEARD + json.dumps(event)


class InTheirLanguage(OutputTransform):
    """What the hub sends, in the language of whoever asked for it.

    Args:
        readers: Who reads what.
        request: What was asked.
    """

    def __init__(self, readers: Readers, request: HTTPServerRequest):
        self._accepted = asked_for(request.headers.get("Accept-Language", ""))
        hears = PROGRESS.search(request.path or "")
        self._hearer = readers.of(hears[1]) or self._accepted if hears else SOURCE

    def transform_first_chunk(self, status_code: int, headers: HTTPHeaders, chunk: bytes, finishing: bool) -> Said:
        """Put the words into a page, which is sent as a whole.

        Returns:
            What is sent.
        """
        if finishing and chunk and headers.get("Content-Type", "").startswith("text/html"):
            headers.add("Vary", "Accept-Language")
            page = chunk.decode()
            named = READER.search(page)
            language = known().get(named[1] if named and named[1] else self._accepted)
            if language is not None:
                chunk = page_in(page, language).encode()
                headers["Content-Length"] = str(len(chunk))
        return status_code, headers, self.transform_chunk(chunk, finishing)

    def transform_chunk(self, chunk: bytes, finishing: bool) -> bytes:
        """Put the words into events; each is sent by itself.

        Returns:
            What is sent.
        """
        language: Any = known().get(self._hearer)
        if language is None or not chunk.startswith(HEARD.encode()):
            return chunk
        return "\n".join(event_in(line, language) for line in chunk.decode().split("\n")).encode()
