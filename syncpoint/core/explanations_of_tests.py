"""The texts that a grader's author wrote about its tests, read from the module's source without running it.

A mark whose words are worked out when the module runs (`@hint(TEXT)`) cannot be read: the run keeps its words.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

OURS = ("syncpoint.graders", "syncpoint_check")  # where the marks of hidden and of visible tests come from
MARKS = ("hint", "misconception")

Function = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Explanation:
    """What the author of a test wrote about it."""

    title: str = ""  # the first line of the test's docstring; "" for none
    hint: str = ""  # which way to look; "" for none
    misconception: str = ""  # a section of docs/students/misconceptions.md; "" for none


NO_EXPLANATION = Explanation()


def title_of(docstring: str | None) -> str:
    return next(iter((docstring or "").strip().splitlines()), "")


@functools.lru_cache(maxsize=256)  # a class has few modules and many notebooks
def read_explanations(source: bytes) -> Mapping[str, Explanation]:
    """Return the texts of each test of a grader module, by the name of its function; empty if it is not Python."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    ours, found = _imported(tree), {}
    for node in ast.walk(tree):
        if isinstance(node, Function):
            found[node.name] = Explanation(title_of(ast.get_docstring(node, clean=False)), **dict(_marks(node, ours)))
    return found


def _marks(function: ast.AST, ours: set[str]) -> Iterator[tuple[str, str]]:
    """Return a function's marks with a readable text: their names and texts."""
    for mark in getattr(function, "decorator_list", ()):
        if not isinstance(mark, ast.Call) or len(mark.args) != 1 or mark.keywords:
            continue
        name, words = ast.unparse(mark.func), mark.args[0]
        # A function of another module may do anything with its text.
        if name in ours and name in MARKS and isinstance(words, ast.Constant) and isinstance(words.value, str):
            yield name, words.value


def _imported(tree: ast.Module) -> set[str]:
    """Return the names that a module imports unchanged from Syncpoint and does not rebind."""
    ours: set[str] = set()
    others: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                from_us = node.module in OURS and alias.asname is None
                (ours if from_us else others).add(alias.asname or alias.name)
        elif isinstance(node, (ast.ClassDef, *Function)):
            others.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            others.add(node.id)
    return ours - others
