"""``%syncpoint what-if prefetcher``: changes a line of the student's own code, and shows what that changes."""

from __future__ import annotations

import ast

WHAT_IF = "what_if"  # the module next to the visible tests that calls the exercises
WAIT = "WAIT"  # its constant: code that makes the host wait for everything


def names_of(source: bytes, constant: str = "") -> list[str]:
    """The exercises that a module of what-ifs calls: its public functions; or the value of one of its constants.

    Args:
        source: The module's; it is not imported, since only a student's environment has the engine.
        constant: Its name; "" for the exercises.

    Returns:
        The names of the functions, or the text of the constant if there is one.
    """
    tree = ast.parse(source)
    if not constant:
        return [one.name for one in tree.body if isinstance(one, ast.FunctionDef) and not one.name.startswith("_")]
    return [
        str(one.value.value)
        for one in tree.body
        if isinstance(one, ast.Assign)
        and isinstance(one.value, ast.Constant)
        and any(isinstance(target, ast.Name) and target.id == constant for target in one.targets)
    ]
