"""Spares every process of ours a second of its start."""

import sys


def spare_the_grammar_of_addresses() -> None:
    """Let jsonschema do without rfc3987_syntax: at its import that builds a grammar of international web addresses.

    jsonschema then takes every text for such an address; no notebook holds one that it would look at.
    """
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
