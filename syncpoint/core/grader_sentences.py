"""The sentences in a grader's source: the literal templates of its calls of ``saw`` and ``message``."""

import ast
from collections.abc import Iterator

from .messages import disagreement

CALLS = ("saw", "message")
OPTIONS = ("log", "missing_wait")  # arguments of `saw` that fill no place


def templates(source: str | bytes) -> Iterator[str]:
    """All templates, in the order of the syntax tree."""
    for call in _calls(source):
        yield from _literals(call.args[0]) or ()


def problems(source: str | bytes) -> Iterator[str]:
    """Return what is wrong with the sentences, by line: placeholders that differ from the values, and non-literals.

    A variable may hold what ``message`` has made.
    """
    for call in _calls(source):
        written, given = _literals(call.args[0]), {word.arg for word in call.keywords}
        named = {name for name in given if name and not (_name(call) == "saw" and name in OPTIONS)}
        if written is None:
            if isinstance(call.args[0], (ast.JoinedStr, ast.BinOp)) or _name(call) == "message":
                yield f"line {call.lineno}: write the sentence as one literal, and its values by name"
        elif None not in given:  # **values can be checked only when the test runs
            yield from (f"line {call.lineno}: {why}" for text in written if (why := disagreement(text, named)))


def _calls(source: str | bytes) -> Iterator[ast.Call]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):  # importing the module reports the error
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args and _name(node) in CALLS:
            yield node


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _literals(sentence: ast.expr) -> list[str] | None:
    """Return the template, or those that a condition chooses from; None if they are computed."""
    if isinstance(sentence, ast.Constant) and isinstance(sentence.value, str):
        return [sentence.value]
    if isinstance(sentence, ast.IfExp):
        first, second = _literals(sentence.body), _literals(sentence.orelse)
        return None if first is None or second is None else [*first, *second]
    return None
