"""Extracts the texts of Python code that people read: docstrings, comments, assertion messages, printed text.

A text with values, an f-string, is one message with its expressions in braces; another language may put them in
another order, and never has others.
"""

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass, replace
from typing import Literal

from .blocks import LETTERS, MARKED, instructors_lines

Kind = Literal["docstring", "comment", "text", "template"]
NOT_WORDS = re.compile(r"^#+ (BEGIN|END) [A-Z ]+$|^# (noqa|type:)")
SHOWN = ("print", "Benchmark", "Clock", "draw_record", "draw_schedule")
NAME = re.compile(r"[a-z]\w*_\w*")  # a function or a variable
NAMES = ("name", "words")  # loop variables over displayed texts
PHRASE = re.compile(r"(^|\W)[a-z]{2,}\W")
MARKUP = re.compile(r"[<>%]|\w=")


@dataclass(frozen=True)
class CodeText:
    """One text in code."""

    kind: Kind  # a comment, a docstring, a text, or a text with values
    text: str  # without quotes and marks
    start: tuple[int, int]  # line, from 1, and character of the first one
    end: tuple[int, int]  # the same, after the last one


@dataclass(frozen=True)
class Drawn:
    """The texts of a drawing module that appear in its pictures: phrases and names."""

    words: frozenset[str] = frozenset()  # single words, and templates of only punctuation
    data: frozenset[str] = frozenset()  # phrases that are data, not displayed

    def __call__(self, text: str) -> bool:
        phrase = " " in text.strip() and PHRASE.search(text + " ") and not MARKUP.search(text)
        return text in self.words or (bool(phrase) and text not in self.data)


def words_of(code: str, drawn: Drawn | None = None) -> list[CodeText]:
    """Return a code's texts in order, none if it is not Python; of a drawing module, only words in pictures."""
    hidden = instructors_lines(code)
    shown = _without_magics(code)
    try:
        tree = ast.parse(shown)
    except SyntaxError:
        return []
    found = [*_drawn(tree, drawn)] if drawn else [*_docstrings(tree), *_comments(shown), *_shown(tree)]
    lines = shown.split("\n")
    seen = (_in_letters(words, lines) for words in found if words.start[0] - 1 not in hidden)
    return sorted(seen, key=lambda words: words.start)


def translate(code: str, translated: Callable[[str], str], drawn: Drawn | None = None) -> str:
    """Return the code with translated texts; a text whose values differ from the source's stays unchanged."""
    lines = code.split("\n")
    for words in reversed(words_of(code, drawn)):
        new = translated(words.text)
        if new == words.text:
            continue
        (row, left), (last, right) = words.start, words.end
        head, tail = lines[row - 1][:left], lines[last - 1][right:]
        lines[row - 1 : last] = (head + _in_code(words.kind, new, head) + tail).split("\n")
    return "\n".join(lines)


def expressions(template: str) -> list[str]:
    """Find the values in the text of an f-string."""
    body = ast.parse("f" + repr(template)).body[0]
    assert isinstance(body, ast.Expr)
    parts = body.value.values if isinstance(body.value, ast.JoinedStr) else []
    return [ast.unparse(ast.JoinedStr([part])) for part in parts if isinstance(part, ast.FormattedValue)]


def same(one: str, other: str) -> bool:
    """Whether two pieces of code do the same, apart from texts for people."""
    return _bare(one) == _bare(other)


def _in_letters(words: CodeText, lines: list[str]) -> CodeText:
    """Convert positions to characters: Python's syntax trees count UTF-8 bytes, its tokens characters."""
    if words.kind == "comment":
        return words
    start, end = ((row, len(lines[row - 1].encode()[:place].decode())) for row, place in (words.start, words.end))
    return replace(words, start=start, end=end)


def _docstrings(tree: ast.Module) -> Iterator[CodeText]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
            first = node.body[0]
            assert isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
            text = ast.get_docstring(node) or ""
            yield CodeText("docstring", text, _start(first), _end(first))


def _comments(code: str) -> Iterator[CodeText]:
    """Yield comments; adjacent comment lines are one."""
    run: list[tokenize.TokenInfo] = []
    lines = code.split("\n")
    tokens = list(tokenize.generate_tokens(io.StringIO(code).readline))
    for token in tokens:
        if token.type != tokenize.COMMENT or NOT_WORDS.search(token.string):
            continue
        alone = not lines[token.start[0] - 1][: token.start[1]].strip()
        if run and alone and token.start == (run[-1].start[0] + 1, run[-1].start[1]):
            run.append(token)
            continue
        yield from _comment(run)
        run = [token]
        if not alone:
            yield from _comment(run)
            run = []
    yield from _comment(run)


def _comment(run: list[tokenize.TokenInfo]) -> Iterator[CodeText]:
    text = " ".join(token.string.lstrip("# ").rstrip() for token in run)
    if LETTERS.search(text):
        yield CodeText("comment", text, run[0].start, run[-1].end)


def _shown(tree: ast.Module) -> Iterator[CodeText]:
    """Yield displayed texts that the code itself does not look up."""
    parts = [part for node in ast.walk(tree) for part in _parts(node)]
    shown = {inner for part in parts for inner in ast.walk(part)}
    used = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and node not in shown}
    for part in parts:
        yield from (words for words in _text(part) if words.text not in used and not NAME.fullmatch(words.text))


def _parts(node: ast.AST) -> list[ast.expr]:
    """Find the texts of a node that people read: assertion messages, printed text, and names that are shown.

    Such names are arguments of Benchmark and of what draws, and what a loop calls ``name`` or ``words``:
    ``for name, x in [("no wait", ...), ...]``.
    """
    if isinstance(node, ast.Assert) and node.msg is not None:
        return [node.msg]
    if isinstance(node, ast.Call) and _name(node.func) in SHOWN:
        return node.args
    rows_of = ast.List, ast.Tuple
    if isinstance(node, ast.For) and isinstance(node.target, ast.Tuple) and isinstance(node.iter, rows_of):
        places = [place for place, target in enumerate(node.target.elts) if _name(target) in NAMES]
        rows = [row for row in node.iter.elts if isinstance(row, ast.Tuple)]
        return [row.elts[place] for row in rows for place in places]
    return []


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _drawn(tree: ast.Module, drawn: Drawn) -> Iterator[CodeText]:
    docstrings = {words.start for words in _docstrings(tree)}
    inside = {part for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Constant, ast.JoinedStr)) or node in inside or _start(node) in docstrings:
            continue
        yield from (words for words in _text(node, drawn.words) if drawn(words.text))


def _text(node: ast.expr, listed: Set[str] = frozenset()) -> Iterator[CodeText]:
    """Yield the text of a node if it has letters or is listed."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and LETTERS.search(MARKED.sub("", node.value)):
        yield CodeText("text", node.value, _start(node), _end(node))
    elif isinstance(node, ast.JoinedStr):
        text = "".join(
            str(part.value).replace("{", "{{").replace("}", "}}") if isinstance(part, ast.Constant) else _place(part)
            for part in node.values
        )
        if text in listed or LETTERS.search(re.sub(r"\{[^{}]*\}", "", MARKED.sub("", text))):
            yield CodeText("template", text, _start(node), _end(node))


def _place(part: ast.expr) -> str:
    """Return a value in its form between braces."""
    return ast.unparse(ast.JoinedStr([part]))[2:-1]


def _in_code(kind: Kind, text: str, before: str) -> str:
    if kind == "comment":
        lead = before if not before.strip() else ""
        return f"\n{lead}".join(f"# {line}" for line in text.split("\n"))
    if kind == "docstring":
        indent = " " * (len(before) - len(before.lstrip()))
        lines = text.replace("\\", "\\\\").replace('"""', "'''").split("\n")
        closing = f"\n{indent}" if len(lines) > 1 else ""
        return '"""' + "\n".join([lines[0], *(indent + line if line else "" for line in lines[1:])]) + closing + '"""'
    parts = re.split(r"((?<!\{)\{[^{}]*\})", text) if kind == "template" else [text]
    quote = next(sign for sign in ('"', "'", '"""') if not any(sign in part for part in parts[1::2]))
    parts[::2] = [
        part.replace("\\", "\\\\").replace("\n", "\\n").replace(quote[0], f"\\{quote[0]}") for part in parts[::2]
    ]
    return ("f" if kind == "template" else "") + quote + "".join(parts) + quote


def _start(node: ast.AST) -> tuple[int, int]:
    return node.lineno, node.col_offset  # type: ignore[attr-defined]


def _end(node: ast.AST) -> tuple[int, int]:
    return node.end_lineno, node.end_col_offset  # type: ignore[attr-defined]


def _without_magics(code: str) -> str:
    return re.sub(r"^%.*$", "pass", code, flags=re.MULTILINE)


def _bare(code: str) -> str:
    """Return code without its texts; for texts with values, the values in any order."""
    tree = ast.parse(_without_magics(code))
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            node.body[0] = ast.Pass()
        for part in _parts(node):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                part.value = ""
            elif isinstance(part, ast.JoinedStr):
                values = [value for value in part.values if isinstance(value, ast.FormattedValue)]
                part.values = sorted(values, key=ast.dump)
    return ast.dump(tree)
