"""The blocks of a Markdown text, each a message: headings, paragraphs, rows of tables, comments in Python."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from markdown_it import MarkdownIt

_parser = MarkdownIt("commonmark").enable("table")
LETTERS = re.compile(r"[^\W\d_]{2}")
MARKED = re.compile(r"`[^`]*`|\$[^$]*\$|<[^>]*>")
COMMENT = re.compile(r"(?P<lead>(?:|.*\s)# )(?P<text>\S.*)")
INSTRUCTOR = re.compile(r"^ *### BEGIN (MARK SCHEME|HIDDEN TESTS|SOLUTION)$.*?^ *### END \1$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A block."""

    first: int  # its first line, from 0
    end: int  # the line after its last one
    lead: str  # the text before it in its first line: the mark of a heading or a list
    text: str  # on one line, unless it contains line breaks


def translate(text: str, translated: Callable[[str], str], pictures: bool = False) -> str:
    """Replace every block of a Markdown text by ``translated`` of it; with ``pictures``, code blocks as well."""
    lines = text.split("\n")
    for block in reversed(list(blocks(text, pictures))):
        new = translated(block.text)
        if new != block.text:
            inner = " " * len(block.lead) if block.lead.strip() in ("", "*", "-") or block.lead[-2:-1] == "." else ""
            first, *others = new.split("\n")
            lines[block.first : block.end] = [block.lead + first, *(inner + line for line in others)]
    return "\n".join(lines)


def blocks(text: str, pictures: bool = False) -> Iterator[Block]:
    """Return the blocks that contain words, in order."""
    lines = text.split("\n")
    hidden = instructors_lines(text)
    tokens = _parser.parse(text)
    for place, token in enumerate(tokens):
        if token.map is None or token.map[0] in hidden:
            continue
        first, end = token.map
        if token.type == "tr_open":
            yield from _worded(Block(first, first + 1, "", lines[first]))
        elif token.type == "fence" and pictures:
            yield from _worded(Block(first + 1, end - 1, "", "\n".join(lines[first + 1 : end - 1])))
        elif token.type == "fence" and token.info == "python":
            for row in range(first + 1, end - 1):
                if found := COMMENT.fullmatch(lines[row]):
                    yield from _worded(Block(row, row + 1, found["lead"], found["text"]))
        elif token.type == "inline" and tokens[place - 1].type not in ("th_open", "td_open"):
            yield from _worded(_of(lines, first, end, token.content))


def _of(lines: list[str], first: int, end: int, content: str) -> Block:
    """Return a paragraph or heading with its lines joined, except at line breaks."""
    start = content.split("\n")[0]
    lead = lines[first][: lines[first].find(start)] if start in lines[first] else ""
    joined = ""
    for line in content.split("\n"):
        breaks = joined.endswith(("  ", "\\"))
        joined += line.lstrip() if not joined else ("\n" if breaks else " ") + line.lstrip()
    return Block(first, end, lead, joined)


def _worded(block: Block) -> Iterator[Block]:
    if LETTERS.search(MARKED.sub("", block.text)):
        yield block


def instructors_lines(text: str) -> set[int]:
    """Return the lines that students do not see."""
    hidden: set[int] = set()
    for found in INSTRUCTOR.finditer(text):
        first = text.count("\n", 0, found.start())
        hidden |= set(range(first, first + found[0].count("\n") + 1))
    return hidden
