"""The rules that change a student's code: a wait left out, two lines swapped, a copy that blocks, and others.

A rule is a small class. `find` yields its changes of a cell, each with a sentence; `RULES` lists all of them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from ..check.edits import Edit, Statement, headed, indented, replaced, statements, swapped, text_of, without
from ..check.waiting import MEMORY, ORDERS, THREADS, called, only_waits
from ..core.messages import Message
from ..engines.find import find, folders

# Functions in which the host waits, by the last part of their names: of Python's threads and of each engine.
WAITS = frozenset({*THREADS, *(name for engine in folders() for name in find(engine).words.waits)})
KEYWORDS = frozenset({"non_blocking", "async_op", "pin_memory", "set_to_none", "use_reentrant"})
# Calls that copy, communicate or reset: what happens without one depends on the engine.
TELLING = frozenset(
    "zero_grad copy_ copyto all_reduce allreduce all_gather broadcast reduce reduce_scatter push pull pushpull clear "
    "set_stream set_rng_state save_for_backward".split()
)
OTHER_BOUND: dict[type[ast.cmpop], str] = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">"}
MOST_CHARACTERS = 20_000  # of a cell; a longer cell is not a solution
MOST_CHANGES = 100


@dataclass(frozen=True)
class Change:
    """A change of a student's code."""

    rule: str  # the name of its rule
    edit: Edit
    sentence: Message  # the change in words
    code: str  # the changed code in one line; two changes are alike if their rules and codes are
    # whether somebody who knows nothing about asynchronous work can say what happens if the program breaks
    plain: bool = False
    only_waits: bool = False  # whether only a wait or an order is removed or moved, so that wrong numbers are bad luck

    @property
    def alike(self) -> tuple[str, str]:
        return self.rule, self.code


class Rule(Protocol):
    """Finds possible changes in a cell."""

    def find(self, source: str, found: Sequence[Statement]) -> Iterator[Change]:
        """Yield its changes of a cell, given its code and its statements."""


class LeftOut:
    """A call whose value nobody uses is left out: a wait, an order between streams, `record_stream`, another call."""

    def find(self, source: str, found: Sequence[Statement]) -> Iterator[Change]:
        for one in found:
            if isinstance(one.node, ast.Expr) and isinstance(one.node.value, (ast.Call, ast.Await)):
                name = called(one.node.value)
                kind = next((kind for kind, names in KINDS.items() if name in names), "call")
                code = text_of(source, one.node)
                sentence = Message.of("change_without", line=one.first, text=code)
                plain = kind == "call" and name not in TELLING
                yield Change(f"without_{kind}", without(source, one), sentence, code, plain, only_waits(one, WAITS))


class OtherStream:
    """A block runs on the current stream: its `with ...stream(...)` is left out."""

    def find(self, source: str, found: Sequence[Statement]) -> Iterator[Change]:
        for one in found:
            if isinstance(one.node, ast.With) and len(one.node.items) == 1:
                item = one.node.items[0]
                if called(item.context_expr) == "stream" and one.node.body[0].lineno > one.last_of_header:
                    code = text_of(source, item.context_expr)
                    edit = headed(source, one, "if True:  # on the current stream")
                    yield Change("no_stream", edit, Message.of("change_no_stream", line=one.first, text=code), code)


class Blocking:
    """A keyword such as `non_blocking=True` or a call such as `.pin_memory()` is left out."""

    def find(self, source: str, found: Sequence[Statement]) -> Iterator[Change]:
        for node in _nodes(source):
            if not isinstance(node, ast.Call):
                continue
            for keyword in node.keywords:
                if keyword.arg in KEYWORDS:
                    yield _other(f"without_{keyword.arg}", source, node, _without_keyword(source, node, keyword))
            if isinstance(node.func, ast.Attribute) and node.func.attr == "pin_memory":
                yield _other("not_pinned", source, node, text_of(source, node.func.value))


class Bound:
    """A bound is off by one: a comparison with `len(...)`, or an order `<`, `<=`, `>`, `>=`."""

    def find(self, source: str, found: Sequence[Statement]) -> Iterator[Change]:
        for node in _nodes(source):
            if not isinstance(node, ast.Compare) or len(node.ops) != 1:
                continue
            left, right = text_of(source, node.left), text_of(source, node.comparators[0])
            if type(node.ops[0]) in OTHER_BOUND:
                yield _other("bound", source, node, f"{left} {OTHER_BOUND[type(node.ops[0])]} {right}", plain=True)
            elif isinstance(node.ops[0], ast.Eq) and called(node.left) == "len":
                number = getattr(node.comparators[0], "value", None)
                less, more = (number - 1, number + 1) if type(number) is int else (f"{right} - 1", f"{right} + 1")
                for new in (less, more):
                    yield _other("bound", source, node, f"{left} == {new}", plain=True)


class Swapped:
    """A statement that waits, orders, copies or uses a stream changes places with the next one."""

    def find(self, source: str, found: Sequence[Statement]) -> Iterator[Change]:
        for one in found:
            other = one.next
            if other is None or not (_is_plain(one) and _is_plain(other)) or other not in found:
                continue
            if _matters(one) or _matters(other):
                code, after = (_header(source, each) for each in (one, other))
                sentence = Message.of("change_swapped", line=one.first, text=code, other=other.first, next=after)
                pure = only_waits(one, WAITS) or only_waits(other, WAITS)
                yield Change("swapped", swapped(source, one), sentence, f"{code} {after}", only_waits=pure)


class OutOfTheLoop:
    """A wait, or an operation that orders streams, at the end of a loop's body is moved after the loop."""

    def find(self, source: str, found: Sequence[Statement]) -> Iterator[Change]:
        loops = {id(one.node): one for one in found if isinstance(one.node, (ast.For, ast.While))}
        for one in found:
            loop = loops.get(id(one.owner))
            if loop is not None and one.is_last and _matters(one) and one.is_simple and len(loop.node.body) > 1:  # type: ignore[attr-defined]
                code = text_of(source, one.node)
                sentence = Message.of("change_out_of_loop", line=one.first, text=code)
                pure = only_waits(one, WAITS)
                yield Change("out_of_loop", indented(source, one, loop), sentence, code, not pure, pure)


class IntoTheLoop:
    """A wait, or an operation that orders streams, after a loop is moved into it."""

    def find(self, source: str, found: Sequence[Statement]) -> Iterator[Change]:
        by_node = {id(one.node): one for one in found}
        for loop in found:
            one = loop.next
            if isinstance(loop.node, (ast.For, ast.While)) and one is not None and one.is_simple and _matters(one):
                last = by_node.get(id(loop.node.body[-1]))
                if last is not None and one in found and not isinstance(one.node, ast.Return):
                    code = text_of(source, one.node)
                    sentence = Message.of("change_into_loop", line=one.first, text=code)
                    pure = only_waits(one, WAITS)
                    yield Change("into_loop", indented(source, one, last), sentence, code, not pure, pure)


class Turned:
    """A loop over a name, an attribute or a turned list, such as the buckets, begins at the other end."""

    def find(self, source: str, found: Sequence[Statement]) -> Iterator[Change]:
        for one in found:
            if not isinstance(one.node, ast.For):
                continue
            what = one.node.iter
            if called(what) == "reversed" and isinstance(what, ast.Call) and len(what.args) == 1:
                yield _other("turned", source, what, text_of(source, what.args[0]), plain=True)
            elif isinstance(what, (ast.Name, ast.Attribute)) or called(what) in ("parameters", "enumerate", "zip"):
                yield _other("turned", source, what, f"reversed(list({text_of(source, what)}))", plain=True)


class Unwrapped:
    """A block that is computed again in the backward pass is not: `checkpoint(f, x)` becomes `f(x)`."""

    def find(self, source: str, found: Sequence[Statement]) -> Iterator[Change]:
        for node in _nodes(source):
            if isinstance(node, ast.Call) and called(node) == "checkpoint" and len(node.args) > 1:
                inner, *rest = (text_of(source, one) for one in node.args)
                yield _other("unwrapped", source, node, f"{inner}({', '.join(rest)})")


@dataclass(frozen=True)
class WaitAdded:
    """The host waits for everything at the end of a loop's body, or before a function returns."""

    wait: str  # the code that does so; "" for none

    def find(self, source: str, found: Sequence[Statement]) -> Iterator[Change]:
        for one in found:
            if not self.wait or not one.is_last or not one.is_simple:
                continue
            code = text_of(source, one.node)
            if isinstance(one.node, ast.Return) and one.first == one.last:
                sentence = Message.of("change_wait_before", line=one.first, text=code, wait=self.wait)
                yield Change("wait_added", replaced(source, one.node, f"{self.wait}; {code}"), sentence, code)
            elif isinstance(one.owner, (ast.For, ast.While)) and isinstance(
                one.node, (ast.Expr, ast.Assign, ast.AugAssign)
            ):
                text = ast.get_source_segment(source, one.node) or ""
                sentence = Message.of("change_wait_after", line=one.last, text=code, wait=self.wait)
                yield Change("wait_added", replaced(source, one.node, f"{text}; {self.wait}"), sentence, code)


KINDS = {"wait": WAITS, "order": ORDERS, "record_stream": MEMORY}
RULES: tuple[Rule, ...] = (
    LeftOut(),
    OtherStream(),
    Blocking(),
    Bound(),
    Swapped(),
    OutOfTheLoop(),
    IntoTheLoop(),
    Unwrapped(),
    Turned(),
)


def changes(source: str, wait: str = "") -> list[Change]:
    """Return all changes of a cell that are valid Python, each once; none for an invalid cell.

    ``wait`` is code that makes the host wait for everything, for the rule that adds it.
    """
    if len(source) > MOST_CHARACTERS:
        return []
    try:
        found = statements(source)
        each = (one for rule in (*RULES, WaitAdded(wait)) for one in rule.find(source, found))
        all_changes = list(islice(each, MOST_CHANGES))
    except (SyntaxError, RecursionError):
        return []
    known = {_normal(source)}
    remaining = []
    for one in all_changes:
        try:
            normal = _normal(one.edit.source)
        except (SyntaxError, ValueError, RecursionError):
            continue
        if normal not in known:
            known.add(normal)
            remaining.append(one)
    return remaining


def _normal(source: str) -> str:
    tree = ast.parse(source)
    compile(source, "cell", "exec", dont_inherit=True)
    return ast.dump(tree)


def _nodes(source: str) -> Iterator[ast.AST]:
    return ast.walk(ast.parse(source))


def _other(rule: str, source: str, node: ast.expr, text: str, plain: bool = False) -> Change:
    code = text_of(source, node)
    sentence = Message.of("change_to", line=node.lineno, text=code, new=text)
    return Change(rule, replaced(source, node, text), sentence, f"{code} {text}", plain)


def _without_keyword(source: str, node: ast.Call, keyword: ast.keyword) -> str:
    """A call in one line without one of its keywords, as the student wrote the rest of it."""
    kept = [one for one in node.keywords if one is not keyword]
    shorter = ast.Call(node.func, node.args, kept)
    text = f"{text_of(source, node.func)}({', '.join(text_of(source, one) for one in (*node.args, *kept))})"
    try:
        alike = ast.dump(ast.parse(text, mode="eval").body) == ast.dump(shorter)
    except SyntaxError:
        alike = False
    return text if alike else ast.unparse(shorter)


def _is_plain(one: Statement) -> bool:
    """Whether a statement may be moved: it computes or calls, or is a block with a stream."""
    return isinstance(one.node, (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Delete, ast.With))


def _matters(one: Statement) -> bool:
    """Whether a statement waits, orders streams, or does its work on one; or waits for the numbers that it returns."""
    names = {called(node) for node in ast.walk(one.node)}
    return not names.isdisjoint({*WAITS, *ORDERS, *MEMORY, "stream", "step", "zero_grad", "backward", "all_reduce"})


def _header(source: str, one: Statement) -> str:
    """Return a statement in one line; for a block, its first line."""
    return text_of(source, one.node) if one.is_simple else source.split("\n")[one.first - 1].strip().rstrip(":")
