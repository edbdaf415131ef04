"""Makes mutants: the first right solution of each exercise in the bank, each time with one small mistake.

`syncpoint vet solutions --bank FOLDER` grades this separate bank, and names mutants that lost no point. Not each of
these is a fault of the graders: if a mistake changes nothing that the text requires, the mutant is right.
"""

import ast
import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

ROOT = Path(__file__).resolve().parent.parent
MOST = 100  # for an exercise, because file names have two digits
BLOCKS = ("body", "orelse", "finalbody")
OTHER_OPERATOR: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


class Mutant(NamedTuple):
    """A solution with a mistake.

    Attributes:
        what: The mistake, in one line.
        line: Its line.
    """

    what: str
    line: int
    source: str


def main(
    folder: Annotated[Path, typer.Argument(help="The folder for the bank of mutants.")],
    assignment: Annotated[str, typer.Option(help="Only this assignment.")] = "*",
) -> None:
    """Write the mutants of the bank's right solutions into FOLDER."""
    made = 0
    for exercise in sorted(ROOT.glob(f"grader_tests/{assignment}/bank/*/")):
        right = min(exercise.glob("*_ok_*.py"), default=None)
        if right is None:
            continue
        place = folder / exercise.parents[1].name / exercise.name
        place.mkdir(parents=True, exist_ok=True)
        found = mutants(right.read_text())
        for number, mutant in enumerate(found[:MOST]):
            head = f"# {mutant.what}\n# breaks: perhaps nothing\n"
            (place / f"{number:02}_bad_line_{mutant.line}.py").write_text(f"{head}{mutant.source}\n")
        if found[MOST:]:
            print(f"{exercise.parents[1].name}/{exercise.name}: {len(found[MOST:])} of {len(found)} left out")
        made += len(found[:MOST])
    print(f"{made} mutants; now: syncpoint vet solutions --bank {folder}")


def mutants(source: str) -> list[Mutant]:
    """Return all mutants of a program, each once, without the program itself."""
    seen, found = {ast.unparse(ast.parse(source))}, []
    for mutant in (*_of_statements(source), *_of_expressions(source)):
        if mutant.source not in seen:
            seen.add(mutant.source)
            found.append(mutant)
    return found


def _of_statements(source: str) -> Iterator[Mutant]:
    """Yield mutants with a statement left out, swapped with the next, or moved out of or into a block."""
    tree = ast.parse(source)
    for number, (owner, block) in enumerate(_blocks(tree)):
        for place, statement in enumerate(block):
            if isinstance(statement, ast.Import | ast.ImportFrom) or (owner is tree and _is_definition(statement)):
                continue
            text, line = ast.unparse(statement).splitlines()[0], statement.lineno
            following = block[place + 1] if place + 1 < len(block) else None

            def changed(what: str, *new: ast.stmt, end: int) -> Iterator[Mutant]:
                other = copy.deepcopy(tree)
                _blocks(other)[number][1][place:end] = copy.deepcopy(new)  # noqa: B023  # used up at once
                yield from _mutant(what, line, other)  # noqa: B023

            yield from changed(f"without: {text}", ast.Pass(), end=place + 1)
            if isinstance(statement, ast.Return) and statement.value is not None:
                yield from changed(f"nothing returned: {text}", ast.Return(ast.Constant(None)), end=place + 1)
            if isinstance(statement, ast.With):
                yield from changed(f"not in the block: {text}", *statement.body, end=place + 1)
            if isinstance(statement, ast.For | ast.While | ast.With | ast.If) and len(statement.body) > 1:
                shorter, last = copy.deepcopy(statement), statement.body[-1]
                del shorter.body[-1]
                what = f"moved out of the block: {ast.unparse(last).splitlines()[0]}"
                yield from changed(what, shorter, last, end=place + 1)
            if following is None:
                continue
            if not _is_definition(statement) and not _is_definition(following):
                yield from changed(f"swapped with the next line: {text}", following, statement, end=place + 2)
            if isinstance(statement, ast.For | ast.While):
                longer = copy.deepcopy(statement)
                longer.body.append(following)
                what = f"moved into the loop: {ast.unparse(following).splitlines()[0]}"
                yield from changed(what, longer, end=place + 2)


def _of_expressions(source: str) -> Iterator[Mutant]:
    """Yield mutants with another operator or constant, a negated condition, or a missing argument or call."""
    tree = ast.parse(source)
    for number, node in enumerate(ast.walk(tree)):
        for new in _others(node):
            other = copy.deepcopy(tree)
            changed = _Exchange(list(ast.walk(other))[number], new).visit(other)
            yield from _mutant(f"{_text(node)} -> {_text(new)}", getattr(node, "lineno", 0), changed)


def _others(node: ast.AST) -> Iterator[ast.AST]:
    """Yield replacements for a node."""
    if isinstance(node, ast.BinOp | ast.AugAssign | ast.BoolOp) and type(node.op) in OTHER_OPERATOR:
        yield _with(node, op=OTHER_OPERATOR[type(node.op)]())
    elif isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            ops = [*node.ops[:place], OTHER_OPERATOR[type(operator)](), *node.ops[place + 1 :]]
            yield _with(node, ops=ops)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield node.operand
    elif isinstance(node, ast.If | ast.While | ast.IfExp):
        yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))
    elif isinstance(node, ast.Constant):
        yield from (ast.Constant(value) for value in _other_values(node.value))
    elif isinstance(node, ast.Call):
        for place in range(len(node.keywords)):
            yield _with(node, keywords=node.keywords[:place] + node.keywords[place + 1 :])
        if isinstance(node.func, ast.Attribute):
            yield node.func.value
        elif len(node.args) == 1 and not isinstance(node.args[0], ast.Starred):
            yield node.args[0]


def _other_values(value: object) -> list[object]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1]
    if isinstance(value, float):
        return [value + 1]
    return [f"{value}x"] if isinstance(value, str) and value else []


class _Exchange(ast.NodeTransformer):
    """Replaces one node by another."""

    def __init__(self, old: ast.AST, new: ast.AST):
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return copy.deepcopy(self._new) if node is self._old else self.generic_visit(node)


def _with(node: ast.AST, **fields: object) -> ast.AST:
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def _blocks(tree: ast.AST) -> list[tuple[ast.AST, list[ast.stmt]]]:
    """Return a program's blocks of statements, each with its owner."""
    found = ((node, getattr(node, name, None)) for node in ast.walk(tree) for name in BLOCKS)
    return [(node, block) for node, block in found if isinstance(block, list) and block]


def _is_definition(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.FunctionDef | ast.ClassDef)


def _text(node: ast.AST) -> str:
    return ast.unparse(node).splitlines()[0]


def _mutant(what: str, line: int, tree: ast.AST) -> Iterator[Mutant]:
    """Return the changed program if it is valid."""
    source = ast.unparse(ast.fix_missing_locations(tree))
    try:
        compile(source, "mutant", "exec")
    except SyntaxError:
        return
    yield Mutant(" ".join(what.split()), line, source)


if __name__ == "__main__":
    typer.run(main)
