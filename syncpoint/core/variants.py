"""A student's variant of an assignment: its values as JSON, and texts that show them.

"" is the variant of an assignment in which everybody has the same values.
"""

import json
import re
from typing import Any

PLACE = re.compile(r"\{\{ *(\w+) *\}\}")


def values_of(variant: str) -> dict[str, Any]:
    """Return the values by name. Lists become tuples, because a shape is one."""
    return {name: _with_tuples(value) for name, value in json.loads(variant or "{}").items()}


def fill(text: str, variant: str) -> str:
    """Return a text with the value for each placeholder ``{{name}}``. Other placeholders stay."""
    shown = {name: value if isinstance(value, str) else repr(value) for name, value in values_of(variant).items()}
    return PLACE.sub(lambda place: shown.get(place[1], place[0]), text) if shown else text


def _with_tuples(value: Any) -> Any:
    return tuple(map(_with_tuples, value)) if isinstance(value, list) else value
