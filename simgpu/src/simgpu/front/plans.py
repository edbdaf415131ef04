"""Plans: operations with constants and layouts, made once and launched often."""

import itertools
import json
import struct
from typing import Any

import torch

from simgpu import operations
from simgpu.frames import HEAD, Kind, json_message
from simgpu.front import early_errors, long_lists, rng, shapes, state
from simgpu.front.backward import current_stream_number, note, stream_for
from simgpu.front.link import link
from simgpu.front.tensor import Layout, SimTensor, Storage, key_of
from simgpu.front.waits import before_a_wait, wait
from simgpu.wire import Spec, encode, launch_body, name_of, rounded

aten = torch.ops.aten
ALLOCATES = frozenset({"aten::empty_like", "aten::new_empty", "aten::new_empty_strided"})
ALLOWED = operations.Allowed()


class Plan:
    """An operation that the device has under a number.

    Attributes:
        name: The overload.
        number: Its number on the device.
        kind: ``launch``, ``ask``, ``launch and wait``, ``allocate``, or ``view``, which is not sent to the device.
        waits: How often the host waits for a ``launch and wait``.
        outs: Layouts, keys and sizes of its results.
        nbytes: The bytes of its results, as the allocator counts.
        result: How the result is put together.
        one: Whether the result is the one tensor that it makes, or one view.
        key: The layout of this view, once it has been made.
        writes: Whether it writes an argument.
        device: The device that runs it.
        random: Whether it draws random numbers.
        moves: Arguments whose layout it changes in place, and how.
    """

    __slots__ = (
        "device",
        "key",
        "kind",
        "moves",
        "name",
        "nbytes",
        "number",
        "one",
        "outs",
        "pack",
        "random",
        "result",
        "size",
        "waits",
        "writes",
    )

    name: str
    kind: str
    number: int
    result: tuple[str, Any]
    writes: bool
    device: int

    def __init__(self, name: str, kind: str, device: int, random: bool = False) -> None:
        self.name, self.kind, self.device, self.random = name, kind, device, random
        self.number = self.nbytes = self.size = self.waits = 0
        self.pack: Any = None
        self.outs: list[tuple[Spec | None, Layout | None, int]] = []
        self.moves: list[tuple[int, Spec]] = []
        self.writes = self.one = False
        self.key: Layout | None = None

    def makes(self, spec: Spec | None) -> int:
        """Add a result; return its place."""
        nbytes = spec.nbytes if spec else 0
        self.outs.append((spec, key_of(self.device, spec, nbytes) if spec else None, nbytes))
        self.nbytes += rounded(nbytes)
        return len(self.outs) - 1

    def on(self, device: int) -> "Plan":
        """Return the same operation on another device, sent under the same number."""
        plan = Plan(self.name, self.kind, device, self.random)
        plan.number, plan.nbytes, plan.size, plan.pack = self.number, self.nbytes, self.size, self.pack
        plan.result, plan.moves, plan.writes, plan.one = self.result, self.moves, self.writes, self.one
        plan.waits = self.waits
        plan.outs = [(spec, key_of(device, spec, nbytes) if spec else None, nbytes) for spec, _, nbytes in self.outs]
        return plan

    def play(self, tensors: list[SimTensor], storages: dict[Storage, int], values: list[float]) -> Any:
        """Launch it, and assemble the result.

        Returns:
            The operation's results: tensors of the device, not yet computed.

        Raises:
            StalePlan: the device has forgotten it.
            torch.OutOfMemoryError: the device is full.
        """
        if self.kind == "view":
            for place, spec in self.moves:
                tensors[place].lie(tensors[place]._storage, spec)
            inference = tensors[0].is_inference()  # a view is an inference tensor if its base is, whatever the mode
            if inference is torch.is_inference_mode_enabled():
                if self.one:
                    return self._view(list(storages))
                return self._build(self.result, tensors, list(storages), [])
            with torch.inference_mode(inference):
                return self._build(self.result, tensors, list(storages), [])
        stream = stream_for(self.device, storages)
        made = [Storage(stream, nbytes) for _, _, nbytes in self.outs]
        try:
            if self.kind == "launch":
                number = self.number
                numbers = [s.number for s in (*storages, *made)]
                if self.random:
                    values.append(rng.draw(self.device))
                body = self.pack(self.size, Kind.LAUNCH, number, stream, *numbers, *values)
                link().launch(number, body, self.device, self.nbytes)
            else:
                found = self._play_rare(stream, storages, made, values)
                if found is not None:
                    return found[0]
        except BaseException:
            for storage in made:
                storage.number = 0  # the device does not know it
            raise
        if state.Flags.side_streams:
            note(stream, [*storages, *made] if self.writes else made)
        if self.one:
            only, key, _ = self.outs[0]
            return SimTensor.make(made[0], only, key)  # type: ignore[arg-type]
        return self._build(self.result, tensors, list(storages), made)

    def _view(self, storages: list[Storage]) -> SimTensor:
        """Return the only view that it makes; its storages always have the same size."""
        place, spec = self.result[1]
        storage = storages[place]
        if self.key is None:
            self.key = key_of(storage.device, spec, storage.nbytes)
        return SimTensor.make(storage, spec, self.key)

    def _play_rare(
        self, stream: int, storages: dict[Storage, int], made: list[Storage], values: list[float]
    ) -> tuple[Any] | None:
        connection = link()
        if self.kind == "allocate":
            wanted = self.outs[0][0]
            assert wanted is not None
            head = {"storage": made[0].number, "spec": wanted.json(), "stream": stream}
            connection.post(Kind.ALLOCATE, json_message(Kind.ALLOCATE, head), self.device, self.nbytes)
            return None
        numbers = [s.number for s in storages] + [m.number for m in made]
        draws = [rng.draw(self.device)] if self.random else []
        body = self.pack(self.size, Kind.LAUNCH, self.number, stream, *numbers, *values, *draws)
        if self.kind == "launch and wait":
            upto = connection.launch(self.number, body, self.device, self.nbytes)
            for _ in range(self.waits):
                wait(self.name, stream, upto)
            return None
        before_a_wait()
        told = json.loads(connection.ask(Kind.ASK, {}, body[HEAD.size :]))
        spare = iter(made)
        results = [self._told(t, spare) for t in told]
        return (results[0] if self.result == ("one", None) else tuple(results),)

    def _told(self, value: Any, spare: Any) -> Any:
        if not (isinstance(value, list) and value and isinstance(value[0], str)):
            return complex(*value) if isinstance(value, list) else value
        storage, spec = next(spare), Spec.parse(value)
        storage.nbytes, storage.counted = spec.nbytes, rounded(spec.nbytes)
        link().grew(self.device, storage.counted)
        return SimTensor.at(storage, spec)

    def _build(
        self, what: tuple[str, Any], tensors: list[SimTensor], storages: list[Storage], made: list[Storage]
    ) -> Any:
        kind, content = what
        if kind == "argument":
            return tensors[content]
        if kind == "new":
            spec, key, _ = self.outs[content]
            return SimTensor.make(made[content], spec, key)  # type: ignore[arg-type]
        if kind == "view":
            place, spec = content
            return SimTensor.at(storages[place], spec)
        if kind in ("tuple", "list"):
            return (tuple if kind == "tuple" else list)(self._build(c, tensors, storages, made) for c in content)
        return content


def make(
    func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], tensors: list[SimTensor], storages: dict[Storage, int]
) -> Plan | None:
    """Make the plan of an operation.

    Returns:
        The plan; None if an ``out=`` has new memory and the operation must be looked up again.

    Raises:
        NotImplementedError: the operation is not on the allow list, or cannot be foretold.
        RuntimeError: its arguments are on several devices, or do not fit.
    """
    devices = list(dict.fromkeys(t.device for t in tensors))
    if len(devices) > 1 and func is not aten.copy_.default:
        raise mixed(devices[0], devices[1])
    if tensors and func._schema.is_mutable and _writes_on_the_host(func, args, kwargs):
        raise mixed(devices[0], "cpu")
    if not ALLOWED.permits(str(func)) or not (func._schema.returns or func._schema.is_mutable):  # a check of values
        raise shapes.refused(func)
    device = (
        devices[-1].index if devices else state.index_of(kwargs.get("device"))
    )  # a copy runs on its source's device
    plan = Plan(str(func), "launch", device, operations.draws(func))
    plan.writes = func._schema.is_mutable
    if shapes.is_dynamic(func, args):
        plan.kind, plan.result = "ask", ("one" if len(func._schema.returns) == 1 else "many", None)
        for returned in func._schema.returns:
            if str(returned.type) == "Tensor":
                plan.makes(None)
        _define(plan, func, args, kwargs, [t._spec for t in tensors], tensors, storages, [])
        return plan
    early_errors.check_types(func, tensors)
    try:
        foretold = shapes.foretell(func, args, kwargs, tensors, storages)
    except Exception as error:
        raise early_errors.in_words_of_cuda(error, func, args, kwargs, tensors) from None
    if torch.Tag.inplace_view in func.tags:
        plan.moves = [(i, spec) for i, spec in enumerate(foretold.after) if spec != foretold.before[i]]
    elif foretold.after != foretold.before:
        _grow(device, tensors, foretold.after)
        return None
    leaves: list[int] = []
    plan.result = _describe(plan, func, foretold, leaves, [storage.nbytes for storage in storages])
    if torch.Tag.inplace_view in func.tags or not (plan.outs or plan.writes):
        plan.kind = "view"
    elif func._schema.name in ALLOCATES:
        plan.kind = "allocate"
    else:
        plan.waits = shapes.hidden_waits(func, args, kwargs)
        plan.kind = "launch and wait" if plan.waits else "launch"
    plan.one = plan.result == ("new", 0) or (plan.kind, plan.result[0]) == ("view", "view")
    if plan.kind not in ("view", "allocate"):
        early_errors.check(func, args, kwargs, tensors, storages, plan.nbytes)
        _define(plan, func, args, kwargs, foretold.before, tensors, storages, leaves)
    return plan


def _writes_on_the_host(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether an operation writes a tensor of the host; a number of the host, which it only reads, is allowed."""
    written = [value for argument, value in operations.arguments(func, args, kwargs) if argument.is_written]
    parts = [part for value in written for part in (value if isinstance(value, list | tuple) else [value])]
    return any(isinstance(part, torch.Tensor) and not isinstance(part, SimTensor) for part in parts)


def check_view(spec: Spec, room: int) -> None:
    """Raise an error for a view beyond its storage: the device would end the session when the view is used."""
    if spec.nbytes > room:
        raise RuntimeError(
            f"a view of sizes {list(spec.size)}, strides {list(spec.stride)} and storage offset {spec.offset} "
            f"requires {spec.nbytes:,} bytes, out of bounds for storage of {room:,} bytes"
        )


def mixed(one: object, other: object) -> RuntimeError:
    """CUDA's error for tensors on different devices."""
    return RuntimeError(
        f"Expected all tensors to be on the same device, but found at least two devices, {one} and {other}!"
    )


def _grow(device: int, tensors: list[SimTensor], wanted: list[Spec]) -> None:
    """Resize an ``out=`` of another size, with new memory if it must grow.

    Raises:
        RuntimeError: the operation also reads this memory.
    """
    memory = [tensor._storage for tensor in tensors]
    for tensor, spec in zip(tensors, wanted, strict=True):
        if spec != tensor._spec:
            if memory.count(tensor._storage) > 1:
                raise RuntimeError(
                    "unsupported operation: some elements of the input tensor and the written-to tensor refer to a "
                    "single memory location. Please clone() the tensor before performing the operation."
                )
            tensor.lie(tensor._storage if spec.nbytes <= tensor._storage.nbytes else allocate(device, spec), spec)


def allocate(device: int, spec: Spec) -> Storage:
    """Allocate memory on a device's current stream.

    Raises:
        torch.OutOfMemoryError: the device is full.
        NotImplementedError: it has more dimensions or elements than the device takes.
    """
    stream, layout = current_stream_number(device), spec.json()
    storage = Storage(stream, spec.nbytes)
    head = {"storage": storage.number, "spec": layout, "stream": stream}
    try:
        link().post(Kind.ALLOCATE, json_message(Kind.ALLOCATE, head), device, storage.counted)
    except BaseException:
        storage.number = 0
        raise
    return storage


def _describe(plan: Plan, func: Any, foretold: shapes.Foretold, leaves: list[int], sizes: list[int]) -> tuple[str, Any]:
    """Describe how the result is built from arguments, views of them, and new tensors.

    ``sizes``: how many bytes each storage has.
    """
    seen: dict[int, tuple[str, Any]] = {}

    def describe(value: Any) -> tuple[str, Any]:
        if isinstance(value, torch.Tensor):
            for place, stand_in in enumerate(foretold.stand_ins):
                if stand_in is value:
                    leaves.append(-1)
                    return "argument", place
            if value.layout != torch.strided:
                raise shapes.refused(func)
            memory, spec = value.untyped_storage()._cdata, Spec.of(value)
            if memory in foretold.places and not plan_copies(func):
                if value.is_conj() or value.is_neg():
                    raise shapes.refused(func)
                check_view(spec, sizes[foretold.places[memory]])
                leaves.append(-1)
                return "view", (foretold.places[memory], spec)
            if memory in seen or spec.offset:  # results that share memory are separate here
                spec = Spec.of(torch.empty_strided(spec.size, spec.stride, dtype=spec.dtype, device="meta"))
            leaves.append(plan.makes(spec))
            seen[memory] = "new", leaves[-1]
            return "new", leaves[-1]
        if isinstance(value, tuple | list):
            return "list" if type(value) is list else "tuple", [describe(v) for v in value]
        return "constant", value

    return describe(foretold.result)


def plan_copies(func: Any) -> bool:
    """Whether an operation's results are never views, whatever its stand-ins show."""
    return torch.Tag.inplace_view not in func.tags and func._schema.name in ("aten::_to_copy", "aten::clone")


def _define(
    plan: Plan, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], specs: list[Spec],
    tensors: list[SimTensor], storages: dict[Storage, int], leaves: list[int], constant_floats: bool = False,
) -> None:  # fmt: skip
    """Define the plan on the device."""
    tensor_slots, values = itertools.count(), itertools.count()

    def template(value: Any) -> Any:
        if isinstance(value, SimTensor):
            return {"tensor": next(tensor_slots)}
        if isinstance(value, float) and not constant_floats:
            return {"value": [next(values), None]}
        if isinstance(value, torch.Tensor):
            if value.is_floating_point():
                return {"value": [next(values), name_of(value.dtype)]}
            return {"host": [name_of(value.dtype), encode(value.item())]}
        if isinstance(value, list | tuple):
            return [template(v) for v in value]
        return encode(value)

    try:
        head: dict[str, Any] = {
            "op": plan.name,
            "args": [template(a) for a in args],
            "kwargs": {k: template(v) for k, v in kwargs.items()},
            "tensors": [[storages[t._storage], s.json()] for t, s in zip(tensors, specs, strict=True)],
            "storages": len(storages),
            "outs": [spec and spec.json() for spec, *_ in plan.outs],
            "leaves": leaves,
        }
    except TypeError as error:
        raise NotImplementedError(f"simgpu: {func}: {error}") from error
    head["values"] = next(values)
    long_lists.check(func, len(storages), head["values"])
    body = launch_body(len(storages) + len(plan.outs), head["values"], plan.random)
    plan.size = body.size
    plan.pack = struct.Struct("<IB" + body.format[1:]).pack
    plan.number = link().define(head)


def factory(func: Any, kwargs: dict[str, Any], args: tuple[Any, ...]) -> Any:
    """Create a tensor from numbers: the device computes it."""
    if not ALLOWED.permits(str(func)):
        raise shapes.refused(func)
    kwargs = {k: v for k, v in kwargs.items() if k != "pin_memory"}
    generator = kwargs.get("generator")
    if generator is not None:
        with rng.drawing_from(generator):
            return factory(func, kwargs | {"generator": None}, args)
    plan = Plan(str(func), "launch", state.index_of(kwargs.get("device")), operations.draws(func))
    stands_in = "cpu" if func._schema.name in shapes.META_IS_WRONG else "meta"
    result = func(*args, **(kwargs | {"device": torch.device(stands_in)}))
    plan.makes(Spec.of(result))
    plan.result, plan.one = ("new", 0), True
    _define(plan, func, args, kwargs | {"device": torch.device("cpu")}, [], [], {}, [0], constant_floats=True)
    return plan.play([], {}, [])
