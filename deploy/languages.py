"""The hub's pages in the language of whoever reads them: as the roster has it, else as their browser asks.

JupyterHub has no translations: the templates in `templates/` replace its own, with words of the catalogue `hub`.
"""

import asyncio
import json
import re
import subprocess
import sys
import time
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from tornado.httputil import HTTPHeaders, HTTPServerRequest
from tornado.web import OutputTransform

from deploy.settings import Hub
from deploy.words import WORDS
from syncpoint.core.language import SOURCE, Language
from syncpoint.course.folder import Course
from syncpoint.translations.catalogue import languages, translated
from syncpoint.translations.messages import HUB

ROOT = Path(__file__).resolve().parents[1]
ROSTER = Path(__file__).with_name("roster_languages.py")
SECONDS, MOST = 60, 1 << 20  # that a course may take, on a busy machine, and bytes that it may say
FRESH = 60  # seconds in which a class that logs in at once is looked up once
PATIENCE = 10  # seconds that somebody who logs in waits for it; their next page knows
Sent = tuple[int, HTTPHeaders, bytes]
ASKED: ContextVar[str] = ContextVar("ASKED", default=SOURCE)


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
                found = json.loads(process.stdout.read(MOST))
            return {name: language for name, language in found.items() if language in known()}
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
    there = {name.lower(): name for name in known()}
    kinds = {name.partition("_")[0]: name for name in there.values()}
    for _, tag in sorted(wanted, key=lambda row: row[0]):
        if name := there.get(tag) or kinds.get(tag.partition("_")[0]):
            return name
    return SOURCE


# --- the words ----------------------------------------------------------------------------------------------------


class Words(dict[str, str]):
    """What the pages say in one language, by the names of WORDS.

    Attributes:
        tag: The language, as HTML names it.
    """

    tag: str

    def of(self, english: str) -> str:
        """One of JupyterHub's own messages in this language; itself if it has no translation."""
        return next((self[name] for name, text in WORDS.items() if text == english), english)

    @property
    def events(self) -> dict[str, str]:
        """The messages of a server that starts, by their English."""
        return {WORDS[name]: self[name] for name in ("requested", "spawning", "cancelled", "failed")}


@cache
def known() -> dict[str, Words]:
    """The languages that the hub's pages are in."""
    course, found = Course(ROOT), {SOURCE: Words(WORDS)}
    found[SOURCE].tag = SOURCE
    for name in languages(course):
        texts = translated(course, name, HUB).by_context
        if texts:
            found[name] = Words({key: str(texts.get((key, english), english)) for key, english in WORDS.items()})
            found[name].tag = Language(name, Catalog(locale=name).plural_expr).tag
    return found


class AsksFor(OutputTransform):
    """Notes the language that a browser asks for, before its page is made: templates are given the user alone."""

    def __init__(self, request: HTTPServerRequest):
        ASKED.set(asked_for(request.headers.get("Accept-Language", "")))

    def transform_first_chunk(self, status_code: int, headers: HTTPHeaders, chunk: bytes, finishing: bool) -> Sent:
        """Name what the page depends on.

        Returns:
            What is sent.
        """
        if headers.get("Content-Type", "").startswith("text/html"):
            headers.add("Vary", "Accept-Language")
        return status_code, headers, chunk


def words_for(readers: Readers, user: Any) -> Words:
    """The words of a page for a user; None stands for somebody who has not logged in."""
    return known()[(readers.of(user.name) if user else "") or ASKED.get()]
