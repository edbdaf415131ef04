"""Count statements of Python, without docstrings, comments and blanks: ``python scripts/statements.py syncpoint``.

Prints a line for each folder below the given ones, and the sum.
"""

import ast
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def statements(path: Path) -> int:
    """How many statements a module holds."""
    nodes = list(ast.walk(ast.parse(path.read_bytes())))
    docstrings = (isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None for node in nodes)
    return sum(isinstance(node, ast.stmt) for node in nodes) - sum(docstrings)


def main(folders: Annotated[list[Path], typer.Argument(help="They hold Python.")]) -> None:
    """Count statements of Python, without docstrings, comments and blanks."""
    counts: Counter[str] = Counter()
    for top in folders:
        for path in sorted(top.rglob("*.py")):
            counts["/".join((top.name, *path.relative_to(top).parts[:-1][:1]))] += statements(path)
    for name, count in counts.items():
        print(f"{count:7,}  {name}")
    print(f"{sum(counts.values()):7,}  in all")


if __name__ == "__main__":
    typer.run(main)
