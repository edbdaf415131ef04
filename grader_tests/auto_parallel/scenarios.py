"""Scenarios of the `auto_parallel` assignment: which work can finish while other work is held.

Runs in the engine environment.  A scenario takes the probe and plain parameters and returns plain data; it holds no
expected value.
"""

import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Optional

import numpy as np
from mxnet import nd

if TYPE_CHECKING:
    from syncpoint.probe.handlers import Probe
    from syncpoint.probe.serialization import Device, EngineArray
    from syncpoint.probe.trace import Gate, Trace
else:
    from probe.serialization import Device, EngineArray
    from probe.trace import Trace


@dataclass(eq=False)
class _Operation:
    """An operation that the code enqueued: its devices, its inputs, and the gates that hold its results."""

    name: str
    reads: tuple[int, ...]
    writes: tuple[int, ...]
    gates: list[Any]
    inputs: list[Any]
    released: bool = False

    @property
    def has_run(self) -> bool:
        return all(gate.reached for gate in self.gates)

    def release(self) -> None:
        self.released = True
        for gate in self.gates:
            gate.open()


class _HeldResults(Trace):
    """Holds the result of every operation until the code needs one; then ``examine`` may open them one by one.

    ``examine`` is called once, with the trace: at the first wait that would open a gate, or by ``needed``.
    """

    def __init__(self, probe: "Probe", examine: Callable[["_HeldResults"], None]) -> None:
        super().__init__(gate_results=True)
        self.operations: list[_Operation] = []
        self._probe = probe
        self._examine: Optional[Callable[[_HeldResults], None]] = examine
        self._new: dict[int, list[Gate]] = {}  # for each thread: the gates of the operation that it enqueues just now
        self._inputs: dict[int, list[Any]] = {}  # and what that operation reads
        self._idle = probe.array(np.zeros(1))

    def hold(self, array: Any, label: Any, unrelated: bool = False) -> None:
        self._probe.engine.close_gate(self, array, label, unrelated)
        self._take_new()

    def _take_new(self) -> Any:
        return self._new.pop(threading.get_ident(), [])

    def __enter__(self) -> "_HeldResults":
        self.hold(self._idle, "idle", unrelated=True)
        super().__enter__()
        return self

    def add(self, gate: "Gate") -> None:
        self._new.setdefault(threading.get_ident(), []).append(gate)
        super().add(gate)

    def before_opening(self, gate: "Gate") -> None:
        self.needed()

    def operands(self, inputs: list[Any]) -> None:
        self._inputs[threading.get_ident()] = [self._probe.engine.second_handle(handle) for handle in inputs]

    def log(
        self,
        kind: str,
        label: str,
        opened: tuple[str, ...] = (),
        reads: tuple[int, ...] = (),
        writes: tuple[int, ...] = (),
        **more: Any,
    ) -> None:
        super().log(kind, label, opened, reads=reads, writes=writes, **more)
        if kind == "enqueue":
            gates, inputs = self._take_new(), self._inputs.pop(threading.get_ident(), [])
            if gates:
                self.operations.append(_Operation(label, tuple(reads), tuple(writes), gates, inputs))

    def last_to_write(self, array: Any) -> Any:
        """The last operation so far that writes into the memory of an array; None if none of them does."""
        storage = self._probe.engine.storage(array.handle)
        writers = [one for one in self.operations if any(gate.storage == storage for gate in one.gates)]
        return writers[-1] if writers else None

    def needed(self) -> None:
        """A result is needed: let the scenario look, once."""
        examine, self._examine = self._examine, None
        if examine is not None:
            self.gate_results = False
            examine(self)

    def settle(self) -> None:
        """Let everything run that no closed gate holds back."""
        self._probe.engine.is_settled(self._idle)

    def run_on(self, held: Sequence[_Operation] = ()) -> Any:
        """Release all results that were reached, except the held ones, until nothing changes; return what finished."""
        finished: list[_Operation] = []
        while True:
            self.settle()
            waiting = [operation for operation in self.operations if not operation.released and operation not in held]
            moved = [operation for operation in waiting if operation.has_run]
            if not moved:
                return finished
            for operation in moved:
                operation.release()
            finished += moved


def _observe(
    probe: "Probe",
    function: str,
    arguments: list[Any],
    held: list[int],
    examine: Callable[[_HeldResults], None],
) -> tuple[dict[str, Any], list[list[Optional[_Operation]]]]:
    """Call the function with these arrays, some of them pending, and all its results held until ``examine``.

    Returns the report, and for each array of each list that came back the operation that wrote it last before
    ``examine``.
    """
    student = probe.find(function)
    trace = _HeldResults(probe, examine)
    arrays = [probe.array(EngineArray(values, device)) for values, device in arguments]
    with probe.run(trace) as seen:
        for place in held:
            trace.hold(arrays[place], f"argument {place}")
        with seen.traced():
            returned, seen.error = probe.attempt(student, *arrays)
            trace.needed()
            lists = _lists_of_arrays(probe, returned)
            writers = [[trace.last_to_write(array) for array in part] for part in lists]
        seen.finish()
        different = [len(set(map(id, part))) for part in lists]
        del returned, lists  # before the gates are gone
    return seen.report(different=different), writers


def _lists_of_arrays(probe: "Probe", returned: Any) -> list[list[Any]]:
    """The arrays in a list, or in each list of a list."""
    lists: Any = [returned]
    if isinstance(returned, (list, tuple)) and any(isinstance(item, (list, tuple)) for item in returned):
        lists = returned
    lists = [part if isinstance(part, (list, tuple)) else [] for part in lists]
    return [[item for item in part if probe.engine.is_array(item)] for part in lists]


def with_one_held(
    probe: "Probe", function: str, arguments: list[Any], device: int, held: Optional[int]
) -> dict[str, Any]:
    """Call function(*arguments), and let everything finish but one operation with a result on this device alone.

    arguments: [(float32 values, number of the device)].  held: the number of that operation among those of the device,
    in the order of their enqueueing; None holds nothing.  Reports under "operations", for each operation of the device,
    {"results": its arrays in the end, "finished": whether it could finish}: at the moment when the code first waited
    for something unfinished, or returned.  And under "there", for each list that the function returned, how many of
    its arrays nothing kept from being computed then.
    """
    done: list[_Operation] = []
    here: list[_Operation] = []

    def examine(trace: _HeldResults) -> None:
        here.extend(operation for operation in trace.operations if operation.writes == (device,))
        held_back = [] if held is None else here[held : held + 1]
        done.extend(trace.run_on(held_back))

    result, writers = _observe(probe, function, arguments, [], examine)
    if result["error"] is not None:
        return result
    operations = [
        {"inputs": one.inputs, "results": [gate.array for gate in one.gates], "finished": one in done} for one in here
    ]
    there = [sum(writer is None or writer in done for writer in part) for part in writers]
    return {**result, "operations": operations, "there": there}


def finished_while_held(probe: "Probe", function: str, arguments: list[Any], held: int) -> dict[str, Any]:
    """Call function(*arguments) while argument number ``held`` is pending.

    arguments: [(float32 values, number of the device)].
    Reports under "finished" [[number of a device, how many operations that read arrays and have results there could
    finish]]: at the moment when the code first waited for something unfinished, or returned.
    """
    finished: dict[int, int] = {}

    def examine(trace: _HeldResults) -> None:
        for operation in (one for one in trace.run_on() if one.inputs):  # an array of zeros is no work yet
            for device in operation.writes:
                finished[device] = finished.get(device, 0) + 1

    result, _ = _observe(probe, function, arguments, [held], examine)
    return {**result, "finished": [list(pair) for pair in sorted(finished.items())]}


def release_in_turn(probe: "Probe", function: str, values: np.ndarray, device: int, steps: int) -> dict[str, Any]:
    """Call function(x), x on this device; hold the results of its steps there, and release them one by one.

    The steps are the operations of one kind on the device: of the kind that is enqueued first among those that are
    enqueued ``steps`` times or more.  They are let go in the order of their enqueueing, when the code first waits for
    something unfinished, or returns; what does not need them runs on.  Reports under "steps" how many there are (if no
    kind is enqueued this often, none is held, and these are those of the most frequent kind), under "copies", for each
    copy from the device to the host, how many steps were still held when it finished, and under "at_once" the most
    steps that were computed and held at one time.
    """
    copies: list[int] = []
    report: dict[str, Any] = {"steps": 0, "copies": copies, "at_once": 0}

    def examine(trace: _HeldResults) -> None:
        here = [operation for operation in trace.operations if set(operation.writes) == {device}]
        count = Counter(operation.name for operation in here)
        kind = next((name for name, number in count.items() if number >= steps), None)
        held = [operation for operation in here if operation.name == kind]
        report["steps"] = max(count.values(), default=0) if kind is None else len(held)
        while True:
            for finished in trace.run_on(held):
                if device in finished.reads and 0 in finished.writes:
                    copies.append(len(held))
            report["at_once"] = max(report["at_once"], sum(operation.has_run for operation in held))
            if not held:
                return
            held.pop(0).release()

    result, _ = _observe(probe, function, [(values, device)], [], examine)
    return {**result, **report}


def two_calls(
    probe: "Probe", function: str, first: list[Any], second: list[Any], device: int, same: bool, apart: bool = False
) -> dict[str, Any]:
    """Call function(arrays) with two lists of arrays on this device, one after the other.

    first, second: values.  same: whether the second call gets the very arrays of the first, with other values in them.
    apart: whether each array is an argument of its own.
    Reports what the first call returned, as it is after the second; under "before" the arrays in it as they were before
    the second, under "second" what the second returned, and under "kinds" the kinds of memory (cpu, cpu_pinned, gpu)
    where those of the first lie.
    """
    student = probe.find(function)

    def call(given: list[Any]) -> Any:
        returned, error = probe.attempt(student, *(given if apart else [list(given)]))
        arrays = returned if isinstance(returned, (list, tuple)) else []
        arrays = [array for array in arrays if probe.engine.is_array(array)]
        fixed = probe.fix(arrays)
        return returned, arrays, fixed, error or probe.attempt(probe.engine.wait_all)[1]

    given = [probe.array(EngineArray(values, device)) for values in first]
    returned, arrays, before, error = call(given)
    report = {"before": before, "kinds": [array.context.device_type for array in arrays]}
    if same:
        for array, values in zip(given, second):
            array[:] = values
    else:
        given = [probe.array(EngineArray(values, device)) for values in second]
    *_, after, second_error = call(given)
    return {**report, "returned": returned, "second": after, "error": error or second_error}


def report_of_a_run(probe: "Probe", function: str, values: Any, device: int) -> dict[str, Any]:
    """Record ten products and the copies of their results to the host; ask the student's function for its report.

    Reports the work of the back end in the record that timeline.py makes, and what the function made of it.
    """
    from timeline import record_run  # type: ignore[import-not-found]  # next to the notebook

    student = probe.find(function)
    host = probe.engine.device(Device(0))
    x = probe.array(EngineArray(values, device))
    probe.engine.wait_all()
    record = record_run(lambda: [y.copyto(host) for y in [nd.dot(x, x) for _ in range(10)]])
    record = [event for event in record if event["lane"] != "front end"]
    report, error = probe.attempt(student, [dict(event) for event in record])
    return {"error": error, "record": record, "report": report}
