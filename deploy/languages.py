"""The hub's pages in each user's language: from the roster, else from the browser.

JupyterHub has no translations: the templates in `templates/` replace its own and use the catalogue `hub`.
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
from syncpoint.translations.source_messages import HUB

ROOT = Path(__file__).resolve().parents[1]
ROSTER = Path(__file__).with_name("roster_languages.py")
SECONDS, MOST = 60, 1 << 20  # limits for reading one roster: time, on a busy machine, and bytes of output
FRESH = 60  # seconds: a class that logs in at once is looked up once
PATIENCE = 10  # seconds that a login waits for the rosters; the user's next page has the language
Sent = tuple[int, HTTPHeaders, bytes]
ASKED: ContextVar[str] = ContextVar("ASKED", default=SOURCE)


# --- languages of users -------------------------------------------------------------------------------------------


class Readers:
    """The languages of the hub's users, from the rosters of its courses.

    Args:
        hub: The hub with its courses.  If it has accounts, each roster is read under the course's own account: the
            graders control the course's folder, and the hub is root.
    """

    def __init__(self, hub: Hub):
        self._hub = hub
        self._rosters: dict[str, dict[str, str]] = {}  # by course; replaced as a whole once all rosters are read
        self._read_at = float("-inf")
        self._reading: asyncio.Future[None] | None = None

    def of(self, name: str) -> str:
        """Return a user's language; "" if no roster gives one."""
        courses = self._hub.courses.items()
        found = (self._rosters.get(course, {}).get(name) for course, about in courses if name in about.students)
        return next(filter(None, found), "")

    def read(self) -> None:
        """Read the rosters; for one that cannot be read, keep the last known languages."""
        for name, course in self._hub.courses.items():
            roster = self._roster(course.folder, course.account)
            if roster is not None:
                self._rosters[name] = roster
        self._read_at = time.monotonic()

    async def refresh(self) -> None:
        """Read the rosters again, unless they are fresh, and wait at most PATIENCE for it."""
        if time.monotonic() - self._read_at < FRESH:
            return
        if self._reading is None or self._reading.done():
            self._reading = asyncio.ensure_future(asyncio.to_thread(self.read))
        await asyncio.wait({self._reading}, timeout=PATIENCE)

    def _roster(self, folder: Path, account: str) -> dict[str, str] | None:
        become = ["runuser", "-u", account, "--"] if self._hub.accounts else []
        command = ["timeout", "--kill-after=1", str(SECONDS), *become, sys.executable, str(ROSTER), str(folder)]
        # Without the hub's own environment, which contains secrets.
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
    """Return the first available language of a browser's list.

    Args:
        accepted: The browser's header, such as "zh-CN,zh;q=0.9,en;q=0.8".

    Returns:
        The language's name; the source language if none is available.
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


# --- the texts ----------------------------------------------------------------------------------------------------


class PageTexts(dict[str, str]):
    """The texts of the pages in one language, by the names of WORDS.

    Attributes:
        tag: The language, as HTML names it.
    """

    tag: str

    def of(self, english: str) -> str:
        """Translate one of JupyterHub's own messages; returned unchanged if there is no translation."""
        return next((self[name] for name, text in WORDS.items() if text == english), english)

    @property
    def events(self) -> dict[str, str]:
        """Return the messages of a starting server, by their English text."""
        return {WORDS[name]: self[name] for name in ("requested", "spawning", "cancelled", "failed")}


@cache
def known() -> dict[str, PageTexts]:
    """Return the languages of the hub's pages."""
    course, found = Course(ROOT), {SOURCE: PageTexts(WORDS)}
    found[SOURCE].tag = SOURCE
    for name in languages(course):
        texts = translated(course, name, HUB).by_context
        if texts:
            found[name] = PageTexts({key: str(texts.get((key, english), english)) for key, english in WORDS.items()})
            found[name].tag = Language(name, Catalog(locale=name).plural_expr).tag
    return found


class AsksFor(OutputTransform):
    """Stores the browser's language before its page is made, because templates only get the user."""

    def __init__(self, request: HTTPServerRequest):
        ASKED.set(asked_for(request.headers.get("Accept-Language", "")))

    def transform_first_chunk(self, status_code: int, headers: HTTPHeaders, chunk: bytes, finishing: bool) -> Sent:
        """Add the header that names what the page depends on.

        Returns:
            The status, headers and chunk to send.
        """
        if headers.get("Content-Type", "").startswith("text/html"):
            headers.add("Vary", "Accept-Language")
        return status_code, headers, chunk


def words_for(readers: Readers, user: Any) -> PageTexts:
    """Return the texts of a page for a user; None means not logged in."""
    return known()[(readers.of(user.name) if user else "") or ASKED.get()]
