"""Small changes of a cell's code that leave all other lines in place, so they keep their numbers."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

BLOCKS = ("body", "orelse", "finalbody")


@dataclass(frozen=True, eq=False)
class Statement:
    """A statement that shares its lines with no other."""

    node: ast.stmt
    owner: ast.AST  # the statement or module in whose block it is
    next: Statement | None = None  # the statement after it in that block, or None
    is_last: bool = False  # whether it ends its block

    @property
    def first(self) -> int:
        """Its first line, from 1."""
        decorators: list[ast.expr] = getattr(self.node, "decorator_list", [])
        return min([self.node.lineno, *(one.lineno for one in decorators)])

    @property
    def last(self) -> int:
        """Its last line, from 1."""
        return self.node.end_lineno or self.node.lineno

    @property
    def last_of_header(self) -> int:
        """The last line before its block; for a simple statement, its last line."""
        inside: list[ast.AST] = [] if self.is_simple else [*ast.iter_child_nodes(self.node)]
        parts = [one for one in inside if not isinstance(one, (ast.stmt, ast.excepthandler))]
        ends = (getattr(each, "end_lineno", None) or 0 for one in parts for each in ast.walk(one))
        return self.last if self.is_simple else max([self.node.lineno, *ends])

    @property
    def is_simple(self) -> bool:
        """Whether it contains no other statement."""
        return not any(hasattr(self.node, block) for block in BLOCKS)


@dataclass(frozen=True)
class Edit:
    """A changed cell."""

    source: str  # the changed code, with as many lines as before
    first: int  # the lines that differ, from 1
    last: int
    moved: Mapping[int, int] = field(default_factory=dict)  # for moved lines, their original numbers

    def old(self, line: int) -> int:
        """Return the original number of a line of the changed code."""
        return self.moved.get(line, line)


def statements(source: str) -> list[Statement]:
    """Return a cell's statements that share no line, in order. Raises SyntaxError if it is not Python."""
    try:
        tree = ast.parse(source)
    except (ValueError, RecursionError, MemoryError) as problem:  # a zero byte, or nested too deeply
        raise SyntaxError(str(problem)) from None
    found = [one for node in ast.walk(tree) for one in _in_blocks(node)]
    taken = Counter(
        line for one in found for line in (range(one.first, one.last + 1) if one.is_simple else [one.first])
    )
    return sorted((one for one in found if all(taken[line] == 1 for line in {one.first, one.last})), key=_first)


def without(source: str, one: Statement) -> Edit:
    """Leave a statement out."""
    lines = source.split("\n")
    return _with(source, one, f"{_indent(lines[one.first - 1])}pass")


def stop(source: str, one: Statement) -> Edit:
    """End the program where a simple statement would run."""
    lines = source.split("\n")
    line = lines[one.first - 1]
    lines[one.first - 1] = f"{_indent(line)}raise SystemExit; {line.lstrip()}"
    return Edit("\n".join(lines), one.first, one.last)


def headed(source: str, one: Statement, text: str) -> Edit:
    """Replace the first line of a block statement; its inner lines stay."""
    lines, last = source.split("\n"), one.last_of_header
    lines[one.first - 1 : last] = [f"{_indent(lines[one.first - 1])}{text}", *[""] * (last - one.first)]
    return Edit("\n".join(lines), one.first, last)


def swapped(source: str, one: Statement) -> Edit:
    """Swap a statement with the next one of its block. Raises ValueError if there is none."""
    other = one.next
    if other is None:
        raise ValueError("there is no next statement")
    lines = source.split("\n")
    upper, gap = range(one.first, one.last + 1), range(one.last + 1, other.first)
    lower = range(other.first, other.last + 1)
    order = [*lower, *gap, *upper]
    moved = dict(zip(range(one.first, other.last + 1), order))
    lines[one.first - 1 : other.last] = [lines[number - 1] for number in order]
    return Edit("\n".join(lines), one.first, other.last, moved)


def indented(source: str, one: Statement, like: Statement) -> Edit:
    """Give a statement the indentation of another one, which moves it into or out of a block."""
    lines = source.split("\n")
    old, new = (len(_indent(lines[each.first - 1])) for each in (one, like))
    for number in range(one.first, one.last + 1):
        lines[number - 1] = " " * new + lines[number - 1][old:]
    return Edit("\n".join(lines), one.first, one.last)


def replaced(source: str, node: ast.AST, text: str) -> Edit:
    """Replace a part of the tree, which has a position, by other code."""
    lines = [line.encode() for line in source.split("\n")]  # positions count bytes
    first, last, begin, end = (getattr(node, name) for name in ("lineno", "end_lineno", "col_offset", "end_col_offset"))
    new = (lines[first - 1][:begin] + text.encode() + lines[last - 1][end:]).split(b"\n")
    lines[first - 1 : last] = [*new, *[b""] * (last - first + 1 - len(new))]
    return Edit("\n".join(line.decode() for line in lines), first, last)


def text_of(source: str, node: ast.AST) -> str:
    """Return a node's code in one line."""
    return " ".join((ast.get_source_segment(source, node) or "").split())


def _with(source: str, one: Statement, text: str) -> Edit:
    lines = source.split("\n")
    lines[one.first - 1 : one.last] = [text, *[""] * (one.last - one.first)]
    return Edit("\n".join(lines), one.first, one.last)


def _in_blocks(node: ast.AST) -> Iterator[Statement]:
    for name in BLOCKS:
        block = getattr(node, name, None)
        if not isinstance(block, list):  # the body of a lambda or an expression is not a list
            continue
        after = None
        for statement in reversed(block):
            after = Statement(statement, node, after, is_last=statement is block[-1])
            yield after


def _first(one: Statement) -> int:
    return one.first


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]
