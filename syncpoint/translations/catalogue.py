"""Catalogues: locale/<language>/<catalogue>.po, one for each language and for each assignment, in gettext's format."""

import functools
import hashlib
import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

from .. import __version__
from ..core.atomic_write import write_whole
from ..core.language import SOURCE, Language
from ..course.errors import CourseError
from ..course.folder import Course
from ..course.released_notebooks import LANGUAGES
from ..engines.find import folders
from .source_messages import (
    MISCONCEPTIONS,
    PACKAGE,
    REPORT,
    SourceMessage,
    is_package,
    messages,
    packages,
    sections,
    words_file,
)

LOCALE_FOLDER = "locale"
Translate = Callable[[str], str]


@dataclass(frozen=True)
class Translated:
    """The translations of a catalogue that are complete and not fuzzy."""

    language: str
    by_context: dict[tuple[str, str], str | tuple[str, ...]]  # (context, English) -> the text or its plural forms

    def get(self, message: SourceMessage) -> str | tuple[str, ...] | None:
        return self.by_context.get((message.context, _id(message)))

    def translator(self, context: str) -> Translate:
        """Return the translation of a text at its place, or the text itself."""

        def say(text: str) -> str:
            found = self.by_context.get((context, text))
            return found if isinstance(found, str) else text

        return say


def languages(course: Course) -> list[str]:
    """Return the languages with catalogues, without the source language."""
    return sorted({path.parent.name for path in (course.root / LOCALE_FOLDER).glob(f"*/{REPORT}.po")} - {SOURCE})


def check_language(course: Course, language: str) -> None:
    """Raise CourseError if the course has no catalogues in a language; "" stands for English."""
    if language not in ("", SOURCE, *languages(course)):
        known = ", ".join([SOURCE, *languages(course)])
        raise CourseError(f"the course has no catalogues in {language}: choose one of {known}.")


def path_of(course: Course, language: str, catalogue: str) -> Path:
    """Return a catalogue's path: in the course, else in this package."""
    own = course.root / LOCALE_FOLDER / language / f"{catalogue}.po"
    usual = PACKAGE.parent / LOCALE_FOLDER / language / f"{catalogue}.po"
    ours = catalogue == REPORT or is_package(catalogue)
    return usual if ours and not own.is_file() and usual.is_file() else own


def read(path: Path, language: str) -> Catalog:
    """Return a catalogue; an empty one if there is none."""
    if not path.is_file():
        return Catalog(
            locale=language,
            header_comment="# Translations of the texts for students, see docs/how-to/translate.md.",
            project="Syncpoint",
            version=__version__,
            last_translator="",
            language_team=language,
            msgid_bugs_address="",
            charset="utf-8",
            fuzzy=False,
        )
    with path.open("rb") as file:
        catalog = read_po(file, locale=language)
    for entry in catalog:  # Babel reads the previous English, `#| msgid`, as a comment, and would keep it
        entry.user_comments = [line for line in entry.user_comments if not line.startswith("|")]
    return catalog


def translated(course: Course, language: str, catalogue: str) -> Translated:
    path = path_of(course, language, catalogue)
    return _translated(path, _stamp(path), language)


def digest(course: Course, assignment: str) -> str:
    """Return a digest of all catalogues for feedback on an assignment, and of its translated releases."""
    paths = [
        path_of(course, language, name)
        for language in languages(course)
        for name in (REPORT, MISCONCEPTIONS, assignment)
    ]
    paths += sorted((course.root / "release" / assignment / LANGUAGES).rglob("*.ipynb"))
    contents = [path.read_bytes() for path in paths if path.is_file()]
    return hashlib.sha256(b"\0".join(contents)).hexdigest() if contents else ""


def _stamp(path: Path) -> tuple[int, int]:
    """Return a value that changes when the file does."""
    try:
        known = path.stat()
    except OSError:
        return 0, 0
    return known.st_mtime_ns, known.st_size


@functools.lru_cache(maxsize=64)
def _translated(path: Path, stamp: tuple[int, int], language: str) -> Translated:
    found = {}
    for entry in read(path, language):
        string = entry.string if isinstance(entry.string, str) else tuple(entry.string or ())
        if entry.id and not entry.fuzzy and string and all(string):
            found[entry.context or "", english_of(entry)] = string
    return Translated(language, found)


def lacking(course: Course, language: str, assignment: str) -> list[str]:
    """Return a language's missing messages for an assignment: its own, reports', misconceptions', packages'."""
    # Words of other engines do not count, so a new engine removes no language from other assignments.
    wanted = sections(course, assignment)
    others = {words_file(name) for name in folders()} - {words_file(course.settings_of(assignment).engine)}
    return [
        f"{catalogue}: {_id(message)[:60]!r}"
        for catalogue in (REPORT, MISCONCEPTIONS, *packages(course, assignment), assignment)
        for found in [translated(course, language, catalogue)]
        for message in messages(course, catalogue)
        if found.get(message) is None and (catalogue != MISCONCEPTIONS or message.context in wanted)
        if message.file not in others
    ]


def shipped(course: Course, assignment: str) -> list[str]:
    """Return the languages in which an assignment is complete."""
    return [language for language in languages(course) if not lacking(course, language, assignment)]


def spoken(course: Course, language: str, assignment: str) -> Language:
    """Return a language for messages; missing translations fall back to English."""
    if language == SOURCE or language not in languages(course):
        return Language()
    paths = [path_of(course, language, name) for name in (REPORT, assignment)]
    return _spoken(language, *((path, _stamp(path)) for path in paths))


@functools.lru_cache(maxsize=32)
def _spoken(language: str, *files: tuple[Path, tuple[int, int]]) -> Language:
    report, own = (_translated(path, stamp, language) for path, stamp in files)
    texts = {context: text for (context, _), text in report.by_context.items() if context}
    texts |= {context: text for (context, _), text in own.by_context.items() if context == "title"}
    sentences = {
        english: text if isinstance(text, str) else text[-1]
        for found in (report, own)
        for (context, english), text in found.by_context.items()
        if not context or found is report
    }
    return Language(language, Catalog(locale=language).plural_expr, texts, sentences)


def update(course: Course, language: str, catalogue: str) -> bool:
    """Update a catalogue from the sources, and return whether it changed.

    New messages are empty, changed ones fuzzy, old ones removed. A new message whose English already has a translation
    in another place gets that translation.
    """
    path = course.root / LOCALE_FOLDER / language / f"{catalogue}.po"  # never in this package: the course gets a copy
    catalog = read(path_of(course, language, catalogue), language)
    template = Catalog(project="Syncpoint", charset="utf-8")
    for message in messages(course, catalogue):
        template.add(message.text, locations=[(message.file, 0)], context=message.context or None)
    known = _known(course, language)
    for entry in template:
        if isinstance(entry.id, str) and entry.id in known and catalog.get(entry.id, entry.context) is None:
            catalog.add(entry.id, known[entry.id], context=entry.context)
    catalog.update(template, update_creation_date=False)
    written = write(catalog)
    if path.is_file() and path.read_bytes() == written:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, written)
    return True


def reword(course: Course, old: str, new: str) -> list[Path]:
    """Replace English by new English of the same meaning, keep the translations; return the catalogues with it."""
    changed = []
    for path in sorted((course.root / LOCALE_FOLDER).glob("*/*.po")):
        catalog = read(path, path.parent.name)
        for entry in [entry for entry in catalog if entry.id == old]:
            catalog.delete(old, entry.context)
            catalog.add(new, entry.string, entry.locations, entry.flags - {"fuzzy"}, context=entry.context)
            changed.append(path)
        if path in changed:
            write_whole(path, write(catalog))
    return changed


def write(catalog: Catalog) -> bytes:
    """Return a catalogue as a file, with the same bytes for the same messages."""
    catalog.revision_date = catalog.creation_date
    file = io.BytesIO()
    write_po(file, catalog, width=0, ignore_obsolete=True, include_previous=True, include_lineno=False)
    return file.getvalue()


def stale(course: Course, language: str, catalogue: str) -> list[str]:
    """Return messages that only the sources have, and messages that only the catalogue has."""
    entries = read(path_of(course, language, catalogue), language)
    known = {(entry.context or "", english_of(entry)) for entry in entries if entry.id}
    there = {(message.context, _id(message)) for message in messages(course, catalogue)}
    return [f"{context}: {text[:60]!r}" for context, text in sorted(known ^ there)]


def english_of(entry: Message) -> str:
    """Return an entry's English; for one with a number, the plural."""
    return entry.id if isinstance(entry.id, str) else entry.id[-1]


def _known(course: Course, language: str) -> dict[str, str]:
    return {
        english: text
        for path in sorted((course.root / LOCALE_FOLDER / language).glob("*.po"))
        for (_, english), text in translated(course, language, path.stem).by_context.items()
        if isinstance(text, str)
    }


def _id(message: SourceMessage) -> str:
    return message.text if isinstance(message.text, str) else message.text[1]
