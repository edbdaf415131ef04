"""Settings written once, as fields of a dataclass: traits for nbgrader_config.py, and checks for TOML.

The metadata of a field has the ``help`` of its trait, and ``min``, where it is not just a number above 0.
"""

import types
from collections.abc import Mapping
from dataclasses import field, fields
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from traitlets import Enum, Float, Integer, TraitError, Unicode
from traitlets.config import Config, Configurable

from .errors import CourseError


def setting(default: Any, means: str, **bounds: float) -> Any:
    """Define a field with its default and meaning; ``min`` is an optional lower bound."""
    return field(default=default, metadata={"help": means, **bounds})


def configurable(name: str, settings: type[Any], module: str, base: type = Configurable) -> Any:
    """Return a traitlets class with a trait for each field, documented like the dataclass."""
    kinds, traits = get_type_hints(settings), {}
    for one in fields(settings):
        kind, options = kinds[one.name], dict(one.metadata)
        if get_origin(kind) is Literal:
            trait: Any = Enum(get_args(kind), one.default, **options)
        else:
            trait = {int: Integer, float: Float, str: Unicode}[kind](one.default, **options)
        traits[one.name] = trait.tag(config=True)
    body = {"__module__": module, "__doc__": settings.__doc__, **traits}
    return types.new_class(name, (base,), exec_body=lambda namespace: namespace.update(body))


def in_config(settings: type[Any], config: Config) -> Any:
    """Return the traits that nbgrader_config.py sets, or raise CourseError."""
    try:
        return settings(config=config)
    except TraitError as problem:
        raise CourseError(f"c.{settings.__name__} in nbgrader_config.py: {problem}") from None


def check_table(path: Path, name: str, table: Any, settings: type[Any]) -> None:
    """Check a TOML table against the fields that it may set, or raise ValueError."""
    if not isinstance(table, dict):
        raise ValueError(f"{path}: {name} must be a table, [{name}].")
    kinds, metadata = get_type_hints(settings), {one.name: one.metadata for one in fields(settings)}
    check_keys(path, table, tuple(metadata), f"{name}.")
    for key, value in table.items():
        if wrong := _mistake(kinds[key], value, metadata[key]):
            raise ValueError(f"{path}: {name}.{key} must be {wrong}.")


def check_keys(path: Path, table: Mapping[str, Any], known: tuple[str, ...], where: str = "") -> None:
    """Raise ValueError for an unknown key."""
    unknown = sorted(set(table) - set(known))
    if unknown:
        raise ValueError(f"{path}: unknown setting {where}{unknown[0]}; choose one of {', '.join(known)}.")


def _mistake(kind: Any, value: Any, bounds: Mapping[str, Any]) -> str:
    """Return what a value should be, or "" if it is valid."""
    if get_origin(kind) is Literal:
        return "" if value in get_args(kind) else f"one of {', '.join(map(repr, get_args(kind)))}"
    if kind is str:
        return "" if isinstance(value, str) else "a text"
    fits = type(value) in ((int,) if kind is int else (int, float)) and value >= bounds.get("min", value)
    if kind is int and bounds.get("min") == 0:
        return "" if fits else "a whole number, 0 for any"
    return "" if fits and value > 0 else f"a {'whole ' if kind is int else ''}number above 0"
