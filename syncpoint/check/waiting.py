"""Statements that only wait, order streams or keep memory in use: without one, numbers are wrong only by bad luck."""

from __future__ import annotations

import ast
from collections.abc import Collection

from .edits import Statement

THREADS = frozenset({"join", "result"})  # the host waits for a thread; each engine adds its own functions
# Functions that order streams and ranks without the host.
ORDERS = frozenset("wait_stream wait_event wait record record_event barrier".split())
MEMORY = frozenset({"record_stream"})
STREAMS = {"current_stream", "default_stream"}  # calls that only name a stream


def only_waits(one: Statement, waits: Collection[str]) -> bool:
    """Whether a statement is a wait, an order of streams or `record_stream`, and nothing else.

    ``waits`` are the last parts of the names of the engine's functions in which the host waits.
    """
    names = {called(node) for node in ast.walk(one.node)} - {""}
    outer = called(one.node.value) if isinstance(one.node, ast.Expr) else ""
    return outer in {*THREADS, *waits, *ORDERS, *MEMORY} and names <= {outer, *STREAMS}


def called(node: ast.AST) -> str:
    """Return the last part of a called name; "" if the expression is no call."""
    if isinstance(node, ast.Await):
        node = node.value
    if not isinstance(node, ast.Call):
        return ""
    function = node.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
