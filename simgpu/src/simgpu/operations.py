"""Which of PyTorch's operations the device runs.

It is an allow list of overloads, the same for the front end and the device.
"""

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

NAME = re.compile(r"aten\.((?!__)\w+|__i?(?:and|or|xor|lshift|rshift)__)\.((?!__)\w+)")
NEVER = re.compile(
    r"from_file|save|load|print|set_data|share_memory|pin_memory|record_stream|^sym_|_cuda|_mps|_xpu|_cudnn|miopen|quantiz|sparse"
    r"|mkldnn|nested|storage|_assert|jagged|sobol|fbgemm|_test_|vulkan|histogram|resize|^set_?$|_conj$|_neg_view|data_ptr|_check_errors"
)
"""Operations that no list may contain: they access files, expose memory, or belong to another device or to the CPU."""


class Allowed:
    """The allow list.

    ``record`` permits what no list may not hold and notes it down, for the command that makes the list.
    """

    def __init__(self, record: Path | None = None) -> None:
        self.record = record
        self.names = set(Path(__file__).with_name("allowed.txt").read_text().split())
        if record:
            self.names = set(record.read_text().split()) if record.exists() else set()

    def permits(self, name: object) -> bool:
        """Whether the device may run an overload, ``aten.<operation>.<overload>``."""
        if name in self.names:
            return True
        if self.record is None or not isinstance(name, str) or not may_stand_in_a_list(name):
            return False
        self.names.add(name)
        with self.record.open("a") as file:
            file.write(f"{name}\n")
        return True


def may_stand_in_a_list(name: str) -> bool:
    """Whether an overload may be on the list at all."""
    match = NAME.fullmatch(name)
    return match is not None and not NEVER.search(match[1])


def overload(name: str) -> torch._ops.OpOverload:
    """Return PyTorch's object for a name on the list."""
    found: Any = functools.reduce(getattr, name.split(".")[1:], torch.ops.aten)  # type: ignore[arg-type]
    if not isinstance(found, torch._ops.OpOverload):
        raise TypeError(f"{name} is not an operation")
    return found


@functools.cache
def draws(op: torch._ops.OpOverload) -> bool:
    """Whether an operation draws random numbers."""
    return torch.Tag.nondeterministic_seeded in op.tags


@dataclass(frozen=True, slots=True)
class Argument:
    """The schema's description of an argument.

    Attributes:
        name: In the schema.
        kind: Its type, in the schema's words.
        is_written: Whether a kernel writes to it.
        kwarg_only: Whether it is given by name alone.
        is_number: Whether a number or a list of numbers is one.
    """

    name: str
    kind: str
    is_written: bool
    kwarg_only: bool
    is_number: bool


@functools.cache
def schema(op: torch._ops.OpOverload) -> dict[str, Argument]:
    """Return the arguments of an operation by name, in order."""
    return {
        a.name: Argument(
            a.name, str(a.real_type), is_written(op, a), a.kwarg_only, bool(re.search("number|float", str(a.type)))
        )
        for a in op._schema.arguments
    }


def arguments(op: torch._ops.OpOverload, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[tuple[Argument, Any]]:
    """Return each argument of a call with its schema's description.

    Raises:
        ValueError: the operation has no such arguments.
    """
    known = schema(op)
    if len(args) > len(known) or not kwargs.keys() <= known.keys():
        raise ValueError("invalid arguments of an operation")
    return [*zip(known.values(), args, strict=False), *((known[k], v) for k, v in kwargs.items())]


def is_written(op: torch._ops.OpOverload, argument: torch.Argument) -> bool:
    """Whether a kernel writes to an argument, by its schema, with one exception."""
    said = argument.alias_info is not None and argument.alias_info.is_write
    return said or (argument.name in ("running_mean", "running_var") and op._schema.name == "aten::native_batch_norm")
