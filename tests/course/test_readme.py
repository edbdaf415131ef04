"""The README in each language: two screens at most, one picture, two commands, and the way on to the same pages."""

import math
import re
import unicodedata
from pathlib import Path

import pytest
from classroom import ROOT

READMES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("README.*.md"))]
TEXTS = {path.name: path.read_text(encoding="utf-8") for path in READMES}
# On a screen as GitHub shows a page: letters in a line, lines, and how many of them the picture takes.
LETTERS, LINES, PICTURE = 100, 40, 30
FENCE = re.compile(r"^```bash\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def lines(text: str) -> int:
    """How many lines a text takes without its links' targets; a Chinese sign is two letters wide."""
    shown = re.sub(r"\]\([^)]*\)|<!--.*?-->", "", text)
    wide = (sum(1 + (unicodedata.east_asian_width(sign) in "WF") for sign in line) for line in shown.splitlines())
    return sum(max(1, math.ceil(letters / LETTERS)) for letters in wide)


def links(path: Path) -> list[Path]:
    """The files that a page leads to."""
    targets = re.findall(r"\]\(([^():]+)\)", TEXTS[path.name])
    return [path.parent.joinpath(target.partition("#")[0]).resolve() for target in targets]


def leads_to(path: Path) -> set[str]:
    """The names of these files, of those in several languages the English one; without the page itself in another."""
    names = {target.relative_to(ROOT).as_posix() for target in links(path) if target not in READMES}
    return {re.sub(r"\.[a-z]{2}_[A-Z]{2}\.md$", ".md", name) for name in names}


@pytest.mark.parametrize("name", TEXTS)
def test_it_takes_two_screens_at_most(name: str):
    assert lines(TEXTS[name]) + PICTURE <= 2 * LINES


@pytest.mark.parametrize("name", TEXTS)
def test_it_has_one_picture_with_words_and_two_commands(name: str):
    (words,) = re.findall(r"!\[([^\]]*)\]", TEXTS[name])
    (block,) = FENCE.findall(TEXTS[name])
    assert len(words) > 20
    assert [line.partition("#")[0].strip() for line in block.splitlines()] == ["make demo", "make test"]


@pytest.mark.parametrize("path", READMES, ids=lambda path: path.name)
def test_it_leads_to_the_same_pages_in_each_language_and_to_the_other_languages(path: Path):
    assert leads_to(path) == leads_to(READMES[0])
    assert {other for other in READMES if other != path} == set(links(path)) & set(READMES)
