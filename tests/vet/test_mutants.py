"""Mutants of right solutions: each is another program, with one mistake."""

import ast
import runpy
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
mutants = runpy.run_path(str(ROOT / "scripts" / "mutants.py"))["mutants"]

PROGRAM = """
import time
def f(x, n=2):
    for _ in range(n):
        x = x * x
        x.wait_to_read()
    if not x < 1:
        print(x, end='')
    return x
"""
BODY = """
def f(x, n=2):
    {}
"""


def made_of(source: str) -> set[str]:
    return {mutant.source for mutant in mutants(source)}


def body(source: str) -> set[str]:
    """The mutants of a function with this body, each as its body."""
    return {
        "; ".join(map(ast.unparse, ast.parse(one).body[0].body)) for one in made_of(BODY.format(source)) if "n=2" in one
    }


def test_each_mutant_is_a_program_and_another_one():
    found = mutants(PROGRAM)
    sources = [mutant.source for mutant in found]
    assert len(set(sources)) == len(sources) > 20
    assert ast.unparse(ast.parse(PROGRAM)) not in sources
    for mutant in found:
        compile(mutant.source, "mutant", "exec")
        assert "\n" not in mutant.what and 0 < mutant.line <= len(PROGRAM.splitlines())
        assert mutant.source.startswith("import time\n\ndef f")  # nothing would run without them


def test_a_statement_is_left_out_swapped_or_moved():
    assert body("a(x); b(x)") == {"pass; b(x)", "a(x); pass", "b(x); a(x)", "x; b(x)", "a(x); x"}
    found = body("for x in n:\n        a()\n        b()\n    c()")
    assert {"for x in n:\n    a()\n    b()\n    c()", "for x in n:\n    a(); b(); c()"} <= found


def test_operators_constants_conditions_arguments_and_calls_are_changed():
    assert {"return x - 1", "return x + 2", "return x + 0", "return None"} <= body("return x + 1")
    assert {"return x <= n", "return None"} <= body("return x < n")
    assert "return x" in body("return not x")
    assert {"return x.to(n, copy=True)", "return x"} <= body("return x.to(n, copy=True, non_blocking=True)")
    assert {"return x.to(n, non_blocking=False)", "return x.to(n)"} <= body("return x.to(n, non_blocking=True)")
    assert "y(x)" in body("with x:\n        y(x)")
    assert "if not x:\n    y()" in body("if x:\n        y()")
