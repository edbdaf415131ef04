"""Checks that all translations keep to the glossary, where one of them had a way of its own: `scripts/glossary.toml`.

It reads every catalogue, and the pages that no catalogue has.
"""

import csv
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import typer

from syncpoint.course.folder import Course
from syncpoint.translations.catalogue import path_of, read
from syncpoint.translations.source_messages import catalogues

ROOT = Path(__file__).resolve().parent.parent
COURSE = Course(ROOT)
LANGUAGES = ("zh_CN", "pt_BR")
NO_WORDS = re.compile(r"`[^`]*`|\{[^{}]*\}")  # code, and places
RULES = tomllib.loads((ROOT / "scripts" / "glossary.toml").read_text(encoding="utf-8"))
with (ROOT / "locale" / "glossary.tsv").open(encoding="utf-8", newline="") as file:
    GLOSSARY = {row["en"]: row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}


def messages(language: str) -> Iterator[tuple[str, str, str]]:
    """Yield every message: its catalogue, the English with an x for code, and each form of the translation."""
    for name in catalogues(COURSE):
        for entry in read(path_of(COURSE, language, name), language):
            if entry.id:
                english = NO_WORDS.sub("x", entry.id if isinstance(entry.id, str) else entry.id[-1])
                for form in [entry.string] if isinstance(entry.string, str) else entry.string:
                    yield name, english, form


def lines(language: str) -> Iterator[tuple[str, str]]:
    """Yield every line of the pages that no catalogue has, with the name of its file."""
    docs = ROOT / "docs"
    for path in (docs / f"README.{language}.md", *sorted((docs / "site" / language).rglob("*.md"))):
        text = re.sub(r"\]\([^)]*\)", "]", path.read_text(encoding="utf-8"))
        yield from ((path.name, line) for line in text.splitlines())


def problems(language: str) -> Iterator[str]:
    """Yield what departs from the glossary in a language, one line each."""
    yield from (f"glossary.tsv lacks {term}" for term, row in GLOSSARY.items() if not row[language])
    known = list(messages(language))
    for term, english, *ways in RULES["held"]:
        way = re.compile(ways[LANGUAGES.index(language)], re.IGNORECASE)
        there = [one for one in known if re.search(english, one[1], re.IGNORECASE)]
        if not there or not way.search(GLOSSARY[term][language]):
            yield f"glossary.toml, {term}: no message has it, or glossary.tsv says something else"
        yield from (f"{name}, {term} is {way.pattern}: {form}" for name, _, form in there if not way.search(form))
    texts = [*((name, form) for name, _, form in known), *lines(language)]
    for term, of, pattern in RULES["never"]:
        if of == language:
            never = re.compile(pattern, re.IGNORECASE)
            found = [(name, text) for name, text in texts if never.search(NO_WORDS.sub("x", text))]
            found += [("glossary.tsv", GLOSSARY[term][language])] if never.search(GLOSSARY[term][language]) else []
            yield from (f"{name}, {term} is never {pattern}: {text}" for name, text in found)


def main() -> None:
    """Print a line for each translation that departs from the glossary, and end with status 1 if there is one."""
    found = [f"{language}, {problem}" for language in LANGUAGES for problem in problems(language)]
    print("\n".join(found) or "The translations keep to the glossary.")
    raise typer.Exit(bool(found))


if __name__ == "__main__":
    typer.run(main)
