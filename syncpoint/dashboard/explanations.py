"""The pages about misconceptions, docs/misconceptions.md: one section for each, found by its anchor."""

import re
from dataclasses import dataclass
from pathlib import Path

FILE = "docs/misconceptions.md"
SECTION = re.compile(r'^<a id="(?P<slug>[\w-]+)"></a>\s*^## +(?P<title>.+?)\s*$', re.MULTILINE)


@dataclass(frozen=True)
class Explanation:
    """One misconception.  text: Markdown of ours."""

    title: str
    text: str


def read_explanations(root: Path) -> dict[str, Explanation]:
    """All of a course, by slug; none if it has no such file."""
    path = root / FILE
    if not path.is_file():
        return {}
    page = path.read_text()
    heads = list(SECTION.finditer(page))
    ends = [*(head.start() for head in heads[1:]), len(page)]
    return {
        head["slug"]: Explanation(head["title"], page[head.end() : end].strip())
        for head, end in zip(heads, ends, strict=True)
    }
