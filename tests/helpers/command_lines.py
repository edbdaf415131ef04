"""Which commands a file of tests runs, read from its code: the words that it hands to a process, one after the other.

A name stands for what the file gives it (an assignment, the values of a loop or of `parametrize`), and a function that
passes its arguments on, such as ``course.nbgrader("collect", "async")``, for the words that it puts before them.  What
cannot be known without running it is `ANYTHING`.
"""

import ast
import functools
import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path

HELPERS = Path(__file__).parent
ANYTHING = "..."
Words = tuple[str, ...]
MOST = 64  # readings of one line: a name may stand for several values


@functools.cache
def run_by(path: Path) -> frozenset[Words]:
    """The command lines of a file, and those of the helpers that it imports."""
    module = _module(path)
    return module.lines().union(*(run_by(helper) for helper in module.helpers))


def options_of(path: Path, words: Sequence[str]) -> set[str] | None:
    """Which options a file gives to a command, which is these words one after the other; None if it never runs it."""
    found = None
    for line in run_by(path):
        for start in range(len(line)):
            if line[start : start + len(words)] == tuple(words):
                rest = (word.partition("=")[0] for word in line[start + len(words) :])
                found = (found or set()) | {word for word in rest if word.startswith("-")}
    return found


@functools.cache
def _module(path: Path) -> "_Module":
    return _Module(ast.parse(path.read_text(encoding="utf-8")))


class _Module:
    def __init__(self, tree: ast.Module):
        self._tree = tree
        self.helpers = [path for path in map(self._helper, ast.walk(tree)) if path]
        self._values: dict[str, list[ast.expr]] = {}
        for node in ast.walk(tree):
            for name, value in self._given(node):
                self._values.setdefault(name, []).append(value)
        self._prefixes = list(self._passing_on())

    def lines(self) -> frozenset[Words]:
        """All lines, of which many are none of a command."""
        found: set[Words] = set()
        for node in ast.walk(self._tree):
            for line in self._line(self._parts(node)):
                found.add(line)
                if isinstance(node, ast.Call):
                    found.update((*before, *line[own:]) for before, own in self.prefixes(self._name(node)))
        return frozenset(found)

    def prefixes(self, function: str) -> list[tuple[Words, int]]:
        """Of a function that passes its arguments on: the words before them, and how many it keeps for itself."""
        mine = [(before, own) for name, before, own in self._prefixes if name == function]
        return mine or [found for helper in self.helpers for found in _module(helper).prefixes(function)]

    @staticmethod
    def _helper(node: ast.AST) -> Path | None:
        if isinstance(node, ast.ImportFrom) and node.module and (HELPERS / f"{node.module}.py").is_file():
            return HELPERS / f"{node.module}.py"
        return None

    @staticmethod
    def _given(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, value
            case ast.For(target=ast.Name(id=name), iter=ast.Tuple(elts=values) | ast.List(elts=values)):
                yield from ((name, value) for value in values)
            case ast.Call(
                func=ast.Attribute(attr="parametrize"),
                args=[ast.Constant(value=str(name)), ast.Tuple(elts=values) | ast.List(elts=values)],
            ):
                yield from ((name, value) for value in values)

    def _passing_on(self) -> Iterator[tuple[str, Words, int]]:
        for node in ast.walk(self._tree):
            if not isinstance(node, ast.FunctionDef) or not node.args.vararg:
                continue
            own = [argument.arg for argument in node.args.args if argument.arg != "self"]
            for parts in filter(None, map(self._parts, ast.walk(node))):
                passed = {name.id for name in ast.walk(parts[-1]) if isinstance(name, ast.Name)}
                if isinstance(parts[-1], ast.Starred) and node.args.vararg.arg in passed:
                    yield from ((node.name, before, len(own)) for before in self._line(parts[:-1]))

    @staticmethod
    def _name(call: ast.Call) -> str:
        return getattr(call.func, "id", getattr(call.func, "attr", ""))

    def _parts(self, node: ast.AST) -> list[ast.expr]:
        """What stands in one line: the arguments of a call, the words of a list, those that click's runner gets."""
        match node:
            case ast.Call(func=ast.Attribute(attr="invoke"), args=[_, ast.List(elts=words)]):
                return [ast.Constant("syncpoint"), *words]
            case ast.Call(args=parts) | ast.List(elts=parts) | ast.Tuple(elts=parts):
                return parts
        return []

    def _line(self, parts: Sequence[ast.expr]) -> Iterator[Words]:
        each = [list(self._words(part)) for part in parts]
        for chosen in itertools.islice(itertools.product(*each), MOST):
            yield tuple(itertools.chain.from_iterable(chosen))

    def _words(self, node: ast.expr, depth: int = 0) -> Iterator[Words]:
        """What one argument may be: each a line of words, since a tuple may be unpacked into several."""
        match node:
            case ast.Constant(value=value):
                yield (str(value),)
            case ast.JoinedStr(values=parts):
                yield ("".join(str(part.value) if isinstance(part, ast.Constant) else ANYTHING for part in parts),)
            case ast.BinOp(right=last, op=ast.Div()):  # a path
                yield from self._words(last, depth)
            case ast.Starred(value=value) | ast.Call(func=ast.Name(id="str"), args=[value]):
                yield from self._words(value, depth)
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                yield from self._line(parts)
            case ast.Name(id=name) if name in self._values and depth < 3:
                for value in self._values[name]:
                    yield from self._words(value, depth + 1)
            case _:
                yield (ANYTHING,)
