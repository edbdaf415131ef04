"""Plans: operations with their constants, as the front end defines them. How a launch runs: :mod:`.runner`."""

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch

from simgpu import operations
from simgpu.device import own_kernels
from simgpu.device.channel import Thing
from simgpu.frames import BadMessage, parse_json
from simgpu.limits import Limits
from simgpu.wire import MOST_SLOTS, Spec, decode, launch_body

NUMBER = struct.Struct("<I")


class Slot:
    """A placeholder in a plan for the n-th tensor or value of a launch."""

    __slots__ = ("content", "dtype", "of_tensors")

    def __init__(self, kind: str, content: Any) -> None:
        self.of_tensors = kind == "tensor"
        self.content: int = content if self.of_tensors else content[0]
        self.dtype: torch.dtype | None = None if self.of_tensors else content[1]


@dataclass(eq=False, slots=True)
class Plan:
    """An operation whose arguments have slots for storages and values.

    Attributes:
        name: The overload.
        op: PyTorch's object of that name.
        run: PyTorch's kernel, or ours where the CPU has none.
        args: Positional arguments.
        kwargs: Keyword arguments.
        tensors: For each tensor argument the place of its storage in the launch, and its layout.
        reads: Places of storages that are read.
        reads_all: Whether these are all, in order.
        elements: How many elements of each of these.
        writes: Places of storages that are written.
        overwritten: Which of ``tensors`` are an ``out=``.
        numbers: How many numbers from the host its constants and values contain.
        outs: Layouts of the results; None if they depend on values.
        leaves: For each tensor of the result, its index in ``outs``, or -1 for an argument that is returned.
        body: How a launch is packed.
        order: How it is packed for the kernel process.
        message: The same with the message's head.
        storages: How many storages a launch names before those that it makes.
        random: Whether it draws random numbers; then a launch brings a seed.
        looks: Whether each launch is looked at; known when ``checked``.
        checked: Whether the types and shapes have been looked at, which are the same in each launch.
    """

    name: str
    op: torch._ops.OpOverload
    run: Callable[..., Any]
    args: list[Any]
    kwargs: dict[str, Any]
    tensors: list[tuple[int, Spec]]
    reads: tuple[int, ...]
    reads_all: bool
    elements: tuple[int, ...]
    writes: tuple[int, ...]
    overwritten: tuple[int, ...]
    numbers: int
    outs: list[Spec | None]
    leaves: list[int]
    body: struct.Struct
    order: struct.Struct
    message: struct.Struct
    storages: int
    random: bool
    looks: bool = True
    checked: bool = False


@dataclass(eq=False, slots=True)
class Defined:
    """A plan that the front end has defined.

    Attributes:
        plan: It.
        thing: The kernel process's.
        told: The message to the kernel process: the front end's message.
        nbytes: The size of the message that defined it.
    """

    plan: Plan
    thing: Thing
    told: bytes
    nbytes: int


@dataclass(eq=False, slots=True)
class Launch:
    """A message of LAUNCH or ASK; ``numbers`` are its values, and its seed if it draws random numbers."""

    defined: Defined
    plan: Plan
    stream: int
    storages: tuple[int, ...]
    made: tuple[int, ...]
    numbers: tuple[float, ...]


class Plans:
    """The front end's definitions, by number.

    Args:
        limits: The device's limits.
        allowed: Operations.
        thing: Makes a name for the kernel process.
    """

    def __init__(self, limits: Limits, allowed: operations.Allowed, thing: Callable[[], Thing]) -> None:
        self.most, self.most_bytes, self.allowed, self._thing = limits.plans, limits.plan_bytes, allowed, thing
        self.plans: dict[int, Defined] = {}
        self._total = 0

    def define(self, told: bytes) -> None:
        """Parse a plan: a message in JSON, which the kernel process also reads.

        Raises:
            BadMessage: the operation is not allowed, its description is inconsistent, or there are too many plans.
        """
        (head, _), nbytes = parse_json(told), len(told)
        number = head["id"]
        if "forget" in head:
            for old in [n for n in self.plans if n < head["forget"]]:
                self._total -= self.plans.pop(old).nbytes
        if self._total + nbytes > self.most_bytes:
            raise BadMessage("too many constants in plans")
        if type(number) is not int or not 0 < number < 1 << 32 or number in self.plans or len(self.plans) > self.most:
            raise BadMessage("invalid plan number")
        if not self.allowed.permits(head["op"]):
            raise BadMessage(f"the operation {head['op']!r} is not allowed"[:100])
        plan = parse_plan(head)
        self._total += nbytes
        self.plans[number] = Defined(plan, self._thing(), told, nbytes)

    def parse(self, body: bytes | memoryview) -> Launch:
        """Read a launch.

        Raises:
            BadMessage: there is no such plan, or the numbers do not fit it.
        """
        try:
            defined = self.plans[NUMBER.unpack_from(body)[0]]
            plan = defined.plan
            found = plan.body.unpack(body)
        except (struct.error, KeyError) as error:
            raise BadMessage("invalid launch") from error
        n = 2 + plan.storages
        m = n + len(plan.outs)
        return Launch(defined, plan, found[1], found[2:n], found[n:m], found[m:])


def parse_plan(head: dict[str, Any]) -> Plan:
    """Read the description of an allowed operation.

    Returns:
        The plan.

    Raises:
        BadMessage: it does not hold together.
    """
    name = head["op"]
    op = operations.overload(name)
    if torch.Tag.inplace_view in op.tags:  # only the front end makes views, and a storage keeps its layout
        raise BadMessage(f"the operation {name!r} is not allowed"[:100])
    args = [decode(a, Slot) for a in head["args"]]
    kwargs = {str(k): decode(v, Slot) for k, v in head["kwargs"].items()}
    tensors = [(place, Spec.parse(spec)) for place, spec in head["tensors"]]
    outs = [Spec.parse(spec) if spec else None for spec in head["outs"]]
    storages, values, leaves = head["storages"], head["values"], head["leaves"]
    used = list(slots((args, kwargs)))
    if (
        not all(type(n) is int and 0 <= n <= MOST_SLOTS for n in (storages, values))
        or not all(type(place) is int and 0 <= place < storages for place, _ in tensors)
        or not all(0 <= s.content < (len(tensors) if s.of_tensors else values) for s in used)
        or not all(type(n) is int and -1 <= n < len(outs) for n in leaves)
    ):
        raise BadMessage("invalid slots of a plan")
    random = operations.draws(op)
    reads, elements, writes, overwritten, numbers = _accesses(op, args, kwargs, tensors)
    order = f"{1 + storages + len(outs)}Q{values}d{'Q' if random else ''}"
    return Plan(
        name,
        op,
        own_kernels.BY_NAME.get(name, op._op),
        args,
        kwargs,
        tensors,
        reads,
        reads == tuple(range(storages)),
        elements,
        writes,
        overwritten,
        numbers,
        outs,
        leaves,
        launch_body(storages + len(outs), values, random),
        struct.Struct(f"<{order}"),
        struct.Struct(f"<IB{order}"),
        storages,
        random,
    )


def slots(value: Any) -> Iterator[Slot]:
    """All slots in an argument."""
    if isinstance(value, Slot):
        yield value
    elif isinstance(value, list | tuple | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from slots(part)


def _accesses(
    op: torch._ops.OpOverload, args: list[Any], kwargs: dict[str, Any], tensors: list[tuple[int, Spec]]
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...], int]:
    """Return the storages that an operation reads and writes, from its schema and not from the front end.

    Returns:
        Places that are read, with the number of elements of each, and that are written, the tensors that are an
        ``out=``, and how many numbers there are.

    Raises:
        BadMessage: it has no such arguments.
    """
    reads: dict[int, set[Spec]] = {}
    writes: dict[int, None] = {}
    overwritten: dict[int, None] = {}
    numbers = 0
    try:
        pairs = operations.arguments(op, args, kwargs)
    except ValueError as error:
        raise BadMessage(str(error)) from error
    for argument, value in pairs:
        written = argument.is_written
        if argument.is_number:
            numbers += len(value) if isinstance(value, list) else 1
        for slot in slots(value):
            if slot.of_tensors:
                place, spec = tensors[slot.content]
                if written:
                    writes[place] = None
                if written and argument.kwarg_only:
                    overwritten[slot.content] = None
                else:  # out= is only written, never read
                    reads.setdefault(place, set()).add(spec)
    elements = tuple(sum(spec.distinct for spec in specs) for specs in reads.values())
    return tuple(reads), elements, tuple(writes), tuple(overwritten), numbers
