"""The lists of a bank: which of its solutions, or cheats, a test takes."""

from typing import TypeVar

from syncpoint.vet.bank import Solution
from syncpoint.vet.cheat import Cheat

Item = TypeVar("Item", Solution, Cheat)


def only_listed(items: list[Item], name: str) -> list[Item]:
    """Those that the lists ``<name>.txt`` of their banks name, one a line; each line must name a file of the bank."""
    names, wanted = {item.name for item in items}, set()
    for listing in sorted({item.path.parents[1] / f"{name}.txt" for item in items}):
        lines = {line.removesuffix(".py") for line in listing.read_text(encoding="utf-8").split()}
        assert lines <= names, f"{listing}: the bank has no {', '.join(sorted(lines - names))}; correct the list."
        wanted |= lines
    return [item for item in items if item.name in wanted]
