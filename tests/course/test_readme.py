"""The README leads to the same pages in each language."""

import re
from pathlib import Path

import pytest
from classroom import ROOT

READMES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("README.*.md"))]
TEXTS = {path.name: path.read_text(encoding="utf-8") for path in READMES}


def links(path: Path) -> list[Path]:
    """The files that a page leads to."""
    targets = re.findall(r"\]\(([^():]+)\)", TEXTS[path.name])
    return [path.parent.joinpath(target.partition("#")[0]).resolve() for target in targets]


def leads_to(path: Path) -> set[str]:
    """The names of these files, of those in several languages the English one; without the page itself in another."""
    names = {target.relative_to(ROOT).as_posix() for target in links(path) if target not in READMES}
    return {re.sub(r"\.[a-z]{2}_[A-Z]{2}\.md$", ".md", name) for name in names}


@pytest.mark.parametrize("path", READMES, ids=lambda path: path.name)
def test_it_leads_to_the_same_pages_in_each_language_and_to_the_other_languages(path: Path):
    assert leads_to(path) == leads_to(READMES[0])
    assert {other for other in READMES if other != path} == set(links(path)) & set(READMES)
