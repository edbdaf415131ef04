"""The sentences of `saw` in a grader's text: a result keeps which one it was and what filled its places, not the words.

They are looked up when the result is shown, as titles and hints are (:mod:`.words`), so a better wording judges nobody
again.  Graders write f-strings and whole sentences; a place is named after the expression that fills it.
"""

import ast
import functools
import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from string import Formatter

from .messages import Message, words
from .words import SAID

MARK = "#"  # between the file of a sentence and its number there
END = "\0"  # is in no sentence


@dataclass(frozen=True)
class Block:
    """A block of `saw`.

    Attributes:
        first: Its first line.
        last: Its last one.
        number: Of the first of its texts, among all of the file.
        texts: What its sentence may be, with named places; none if it is written elsewhere.
    """

    first: int
    last: int
    number: int
    texts: tuple[str, ...]


def in_data(sentence: str, file: str, source: bytes, line: int) -> Message | None:
    """The sentence of the block of `saw` around a line, as its place and its values.

    Args:
        sentence: As it was put together in the run.
        file: The path of the grader in the course.
        source: What the file holds.
        line: Of the assertion that failed.

    Returns:
        A message that :func:`in_words` understands; None if there is no such sentence.
    """
    found = [
        (-block.first, sum(map(len, values.values())), number, values)  # the inner one, with the most words of its own
        for block in _blocks(source)
        if block.first <= line <= block.last
        for number, text in enumerate(block.texts, block.number)
        if (values := _values(text, sentence)) is not None
    ]
    if not found:
        return None
    _, _, number, values = min(found, key=lambda one: one[:3])
    return Message(f"{file}{MARK}{number}", {**values})


def in_words(said: Message, graders: Mapping[str, bytes]) -> Message:
    """Put such a sentence together, as these graders word it.

    Args:
        said: Of a test.
        graders: What the files of the graders hold, by their paths in the course.

    Returns:
        The sentence; another message as it is.
    """
    file, mark, number = said.code.partition(MARK)
    if not mark:
        return said
    try:
        texts = [text for block in _blocks(graders[file]) for text in block.texts]
        return words(texts[int(number)].format(**said.parameters))
    except (LookupError, ValueError):  # of other graders: no sentence is worth a grade
        return said


def _values(text: str, sentence: str) -> dict[str, str] | None:
    """What fills the places of a text that became this sentence; None if it did not."""
    # From left to right without a way back: what stands in the places may be of the student's choice, and large.
    values: dict[str, str] = {}
    name, rest = None, sentence + END
    for own, place, *_ in Formatter().parse(text + END):
        value, _, rest = rest.partition(own) if own else ("", "", rest)
        if name is not None:
            values[name] = value
        name = place
    return values if text.format(**values) == sentence else None


@functools.lru_cache(maxsize=256)  # as :func:`.words.read_words`
def _blocks(source: bytes) -> tuple[Block, ...]:
    found: list[Block] = []
    number = 0
    for function in (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)):
        given = assigned(function)
        for part in (node for node in ast.walk(function) if isinstance(node, ast.With)):
            for call in (item.context_expr for item in part.items):
                if isinstance(call, ast.Call) and call.args and getattr(call.func, "id", "") == SAID:
                    texts = tuple(alternatives(call.args[0], given))
                    found.append(Block(part.lineno, part.end_lineno or part.lineno, number, texts))
                    number += len(texts)
    return tuple(found)


def assigned(function: ast.FunctionDef) -> dict[str, list[ast.expr]]:
    """What a function gives the names in it."""
    given: dict[str, list[ast.expr]] = {}
    for part in ast.walk(function):
        if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name):
            given.setdefault(part.targets[0].id, []).append(part.value)
    return given


def alternatives(value: ast.expr, given: dict[str, list[ast.expr]]) -> list[str]:
    """All texts that an expression may become, as far as they are written there; [] if none is."""
    if isinstance(value, ast.Constant):
        return [value.value.replace("{", "{{").replace("}", "}}")] if isinstance(value.value, str) else []
    if isinstance(value, ast.IfExp):
        return [*alternatives(value.body, given), *alternatives(value.orelse, given)]
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
        return _joined([value.left, value.right], given)
    if isinstance(value, ast.JoinedStr):
        return _joined([part.value if isinstance(part, ast.FormattedValue) else part for part in value.values], given)
    if isinstance(value, ast.Name):
        others = {name: values for name, values in given.items() if name != value.id}
        return [text for known in given.get(value.id, []) for text in alternatives(known, others)]
    return []


def _joined(parts: list[ast.expr], given: dict[str, list[ast.expr]]) -> list[str]:
    names: dict[str, str] = {}
    # A choice between a text and nothing that is written here (`waits[0].label if waits else ""`) is a place.
    texts = [alternatives(part, given) for part in parts]
    choices = [found if any(found) else [_place(part, names)] for part, found in zip(parts, texts, strict=True)]
    return ["".join(choice) for choice in itertools.product(*choices)]


def _place(value: ast.expr, names: dict[str, str]) -> str:
    """A place named after what fills it; another expression of the same name gets a number."""
    node = value
    while not isinstance(node, (ast.Name, ast.Attribute)):
        if isinstance(node, ast.Call):
            node = node.func
        elif isinstance(node, ast.Subscript):
            node = node.value
        else:
            node = ast.Name("value")
    name, text = (node.id if isinstance(node, ast.Name) else node.attr), ast.dump(value)
    number = next(n for n in itertools.count(1) if names.setdefault(f"{name}{n if n > 1 else ''}", text) == text)
    return "{" + f"{name}{number if number > 1 else ''}" + "}"
