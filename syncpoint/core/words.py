"""What the author of a grader wrote about its tests, read from the module's text without running it.

And what is left of the text once that is taken out: the part that decides.  A mark whose words are worked out when the
module runs (`@hint(TEXT)`) cannot be read: it stays in the part that decides, and the run keeps its words.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

GRADERS = "syncpoint.graders"  # where the marks come from
MARKS = ("hint", "misconception")

Function = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Words:
    """About one test.

    Attributes:
        title: The first line of the test's docstring; "" for none.
        hint: Which way to look; "" for none.
        misconception: A section of docs/misconceptions.md; "" for none.
    """

    title: str = ""
    hint: str = ""
    misconception: str = ""


NO_WORDS = Words()


def title_of(docstring: str | None) -> str:
    """The title of a test with this docstring."""
    return next(iter((docstring or "").strip().splitlines()), "")


@functools.lru_cache(maxsize=256)  # a class has a few modules and a thousand notebooks
def read_words(source: bytes) -> Mapping[str, Words]:
    """The words of each test of a grader module, by the name of its function; empty if it is no Python."""
    tree = _parsed(source)
    if tree is None:
        return {}
    ours, found = _imported(tree), {}
    for node in ast.walk(tree):
        if isinstance(node, Function):
            marks = {name: text for name, text, _ in _marks(node, ours)}
            found[node.name] = Words(title_of(ast.get_docstring(node, clean=False)), **marks)
    return found


@functools.lru_cache(maxsize=256)
def deciding_part(source: bytes) -> bytes:
    """Return the same for two modules that do the same: without comments, layout, docstrings and words for people.

    What is no Python decides as it stands.
    """
    tree = _parsed(source)
    if tree is None:
        return source
    ours = _imported(tree)
    for node in ast.walk(tree):
        if isinstance(node, Function):
            for _, _, words in _marks(node, ours):
                words.value = ""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, *Function)) and ast.get_docstring(node) is not None:
            node.body[0] = ast.Pass()
    return ast.dump(tree).encode()


def _parsed(source: bytes) -> ast.Module | None:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _marks(function: ast.AST, ours: set[str]) -> Iterator[tuple[str, str, ast.Constant]]:
    """The marks of a function whose words can be read: their names, and the words."""
    for mark in getattr(function, "decorator_list", ()):
        if not isinstance(mark, ast.Call) or len(mark.args) != 1 or mark.keywords:
            continue
        name, words = _called(mark.func, ours), mark.args[0]
        if name in MARKS and isinstance(words, ast.Constant) and isinstance(words.value, str):
            yield name, words.value, words


def _called(function: ast.expr, ours: set[str]) -> str:
    """Which of our functions this is; "" for none: another one may do anything with its text."""
    return function.id if isinstance(function, ast.Name) and function.id in ours else ""


def _imported(tree: ast.Module) -> set[str]:
    """What a module has from us under our own name, and gives no other meaning."""
    ours: set[str] = set()
    others: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                from_us = node.module == GRADERS and alias.asname is None
                (ours if from_us else others).add(alias.asname or alias.name)
        elif isinstance(node, (ast.ClassDef, *Function)):
            others.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            others.add(node.id)
    return ours - others
