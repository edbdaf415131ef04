"""The adapter for MXNet 1.9.1: traces the calls of its front end to its engine.

A trace replaces the attributes of ``mxnet.base._LIB`` while it is active.  ``gates.py`` holds the gates.
"""

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Callable, Optional

import mxnet as mx
from mxnet.base import _LIB, NDArrayHandle, check_call
from probe.inside_engine import Guarded, InsideEngine
from probe.trace import Trace

from . import calls
from .arrays import handle_of
from .calls import address
from .gates import MXNetGates
from .operators import follow_operators
from .threads import EngineThreads, FrontEnd

HOST = 0
_Thread = threading.Thread
_MODULES = (
    "mxnet mxnet.base mxnet.autograd mxnet.context mxnet.engine mxnet.gluon mxnet.gluon.block mxnet.gluon.loss "
    "mxnet.gluon.nn mxnet.gluon.parameter mxnet.gluon.trainer mxnet.gluon.utils mxnet.initializer mxnet.kvstore "
    "mxnet.ndarray mxnet.ndarray.ndarray mxnet.numpy mxnet.numpy.multiarray mxnet.numpy_extension mxnet.optimizer "
    "mxnet.random mxnet.symbol mxnet.util"
).split()
_CLASSES = {
    "mxnet.ndarray.ndarray": ("NDArray",),
    "mxnet.numpy.multiarray": ("ndarray",),
    "mxnet.gluon.block": ("Block", "HybridBlock"),
    "mxnet.gluon.parameter": ("Parameter",),
    "mxnet.gluon.trainer": ("Trainer",),
}


class MXNetEngine(MXNetGates, InsideEngine):
    """The MXNet engine as the probe sees it."""

    def __init__(self) -> None:
        super().__init__()
        self._library = {name: getattr(_LIB, name) for name in calls.TRACED if hasattr(_LIB, name)}
        self._get_gradient = _LIB.MXNDArrayGetGrad
        self._engine_threads = EngineThreads(_LIB.MXNDArrayWaitAll)
        self._front_end = FrontEnd()
        self._trace: Optional[Trace] = None  # the trace that records
        self._has_operators = False  # whether the student has enqueued operators written in Python
        self._watched: Optional[Trace] = None  # the last trace in which that happened
        follow_operators(self._operator_made, self._before_operator)

    def wait_all(self) -> None:
        """Wait until everything is computed.  Raises the error of a failed operation."""
        check_call(self._library["MXNDArrayWaitAll"]())
        self.queues.all_done()

    def follow(self, trace: Trace, array: Any) -> None:
        """Record in ``trace`` that the array is computed by the judge."""
        self._follow(trace, handle_of(array))

    def guarded(self) -> Guarded:
        """Return the library's functions, their callers, and the variables that choose the engine."""
        # The library's functions appear when they are first used, so only replacements count.
        return Guarded(
            modules=tuple(_MODULES),
            classes=_CLASSES,
            namespaces={"mxnet.base._LIB": vars(_LIB)},
            variables=("MXNET_", "OMP_"),
            free=("MXNET_HOME",),
            library="mxnet",
            symbols=("MX", "NN"),
        )

    @contextmanager
    def tracing(self, trace: Trace) -> Iterator[None]:
        """Record the front end's calls in ``trace`` while it is active, and operators' acts until the block ends.

        An operator that is written in Python may run only after the code has returned.
        """
        self._front_end, self._trace = FrontEnd(), trace
        for name, function in self._library.items():
            setattr(_LIB, name, self._traced(name, function, trace))
        try:
            yield
        finally:
            self._trace = self._watched = None
            for name, function in self._library.items():
                setattr(_LIB, name, function)

    def begin(self) -> None:
        """Begin a request: forget the objects of the last one, and release the work it left."""
        self._described.clear()
        for trace in tuple(self._gated):
            self.release(trace)

    def release(self, trace: Trace) -> None:
        """Open the gates that are still closed and wait for the engine.  Errors of student operations are ignored."""
        trace.end()
        self._gated.discard(trace)
        self.forget_versions()
        with suppress(mx.base.MXNetError):
            self.wait_all()
        self.queues.forget_callbacks()

    def _traced(self, name: str, function: Callable[..., Any], trace: Trace) -> Callable[..., Any]:
        """A library function that records its calls in the trace."""
        after: Optional[Callable[[str, calls.Arguments, Trace], None]]
        if name in calls.ENQUEUE:
            after = self._after_enqueue
        elif name == calls.MARK:
            after = self._after_mark
        else:
            after = self._after_filling if name in calls.FILL else None

        def traced(*arguments: Any) -> Any:
            of_the_code = trace.active and self._is_of_the_code()
            if of_the_code and calls.waits(name, arguments):
                turn = self._front_end.in_turn(lambda: self._age(name, arguments), lambda: trace.active)
                with turn, self._front_end.in_the_library():
                    self._before_wait(name, arguments, trace)
                    result = function(*arguments)
            else:
                result = function(*arguments)
            if after is not None and result == 0:
                if of_the_code and trace.active:
                    after(name, arguments, trace)
                elif name in calls.ENQUEUE and not self._front_end.is_here:
                    self._inside_an_operation(name, arguments, trace)
            elif name == calls.HOST_COPY and result == 0 and not self._front_end.is_here:
                self._read_inside_an_operation(name, arguments, trace)
            return result

        return traced

    def _is_of_the_code(self) -> bool:
        """Return whether the current call comes from the traced code, and not from inside one of its operations.

        The engine runs an operator written in Python (numpy.empty_like of ``mxnet`` is one) in a thread of its own:
        held back in there, it could never end.  Its results are held back like any operation's.
        """
        if not self._front_end.is_here and self._engine_threads.started_this_one():
            return False
        self._front_end.calls += 1
        return True

    def _operator_made(self) -> None:
        """Note that a student's operator is enqueued: the code may now wait for its report."""
        self._has_operators, trace = True, self._trace
        if trace is not None and trace.active and trace is not self._watched:
            self._watched = trace
            _Thread(target=self._watch, args=(self._front_end, trace), daemon=True).start()

    def _before_operator(self) -> None:
        """Hold back an operator written in Python until the code waits."""
        trace = self._trace
        if trace is not None and not self._front_end.is_here:
            last = trace.rounds + 1
            self._front_end.hold_operator(lambda: trace.active and not trace.timed_out and trace.rounds <= last)

    def _watch(self, front_end: FrontEnd, trace: Trace) -> None:
        """Log a wait and open the gates if the code waits for a report of an operator written in Python."""

        def stopped(held: bool) -> None:
            opened = trace.open_all()
            if opened or held:
                trace.log("wait", calls.OPERATOR_LABEL, opened or (calls.OPERATOR_LABEL,), target="array")

        front_end.watch(lambda: trace.active, stopped)

    def _after_enqueue(self, name: str, arguments: calls.Arguments, trace: Trace) -> None:
        """Log the operation with its devices, and hold its results back if the trace requires it."""
        label = calls.label(name, arguments)
        self.queues.enqueued(name, label)
        if name == calls.BACKWARD:
            self._after_backward(label, arguments, trace)
            return
        tell = calls.ENQUEUE[name]
        if tell is None:
            trace.followed.clear()  # it may have written any of them
            self._versions.forget()
            trace.log("enqueue", label)
            return
        inputs, outputs = tell(arguments)
        if name == "MXNetFuncCall" and not outputs:
            return  # it made a tuple of numbers or something else that is no work for the engine
        trace.operands(inputs)
        self._versions.note_write(map(self.storage, outputs), map(self.storage, inputs))
        if trace.gate_results:
            self._note_gradients(inputs, trace)
            self._hold(label, outputs, trace)
        operands = self._operands(trace, inputs, outputs)
        if name in calls.INPUTS_UNKNOWN:
            operands["reads"] = operands["writes"]
        trace.log("enqueue", label, crosses=calls.crosses(label), **operands)

    def _after_backward(self, label: str, arguments: calls.Arguments, trace: Trace) -> None:
        heads = list(calls.heads(arguments))
        if trace.gate_results:
            self._note_gradients([head for head, _ in heads], trace)
            self._hold(label, [handle_of(gradient) for gradient in trace.gradients.values()], trace)
            self._hold(label, calls.new_gradients(arguments), trace)
        for head, gradients in heads:
            trace.log("enqueue", label, **self._operands(trace, [head, *gradients], [head]))

    def _hold(self, label: str, results: list[Any], trace: Trace) -> None:
        for handle in results:
            self._close_gate(trace, handle, f"{label} {len(trace.gates)}")

    def _note_gradients(self, arrays: list[Any], trace: Trace) -> None:
        """Note the gradient buffers of these arrays: a backward pass may fill them."""
        for handle in arrays:
            gradient = NDArrayHandle()
            check_call(self._get_gradient(handle, ctypes.byref(gradient)))
            if gradient.value:
                trace.gradients[self.storage(gradient)] = mx.nd.NDArray(gradient)

    def _inside_an_operation(self, name: str, arguments: calls.Arguments, trace: Trace) -> None:
        """Record mixed devices in work that an operator written in Python enqueues."""
        tell = calls.ENQUEUE[name] if self._engine_threads.started_this_one() else None
        inputs, outputs = tell(arguments) if tell else ([], [])
        if len({*self._devices(inputs), *self._devices(outputs)}) > 1:
            label = calls.label(name, arguments)
            trace.log("inside", label, crosses=calls.crosses(label), **self._operands(trace, inputs, outputs))

    def _read_inside_an_operation(self, name: str, arguments: calls.Arguments, trace: Trace) -> None:
        """Record that a student's operator reads numbers of a device on the host."""
        if self._has_operators and self._engine_threads.started_this_one():
            handles = [handle for handles in calls.waited_for(name, arguments) for handle in handles]
            read = self._operands(trace, handles, [])
            trace.log("inside", calls.words(name, arguments)[1], **{**read, "writes": (HOST,)})

    def _after_mark(self, name: str, arguments: calls.Arguments, trace: Trace) -> None:
        for variable, gradient in calls.marked(arguments):
            trace.log("mark", "", **self._operands(trace, [variable], [gradient]))

    def _after_filling(self, name: str, arguments: calls.Arguments, trace: Trace) -> None:
        for handle in calls.FILL[name](arguments):
            self._follow(trace, handle)

    def _follow(self, trace: Trace, handle: Any) -> None:
        if trace.gate_results:
            trace.followed[self.storage(handle)] = self.second_handle(handle)

    def _operands(self, trace: Trace, inputs: list[Any], outputs: list[Any]) -> dict[str, Any]:
        """Return the log's data on the arrays that an operation reads and writes."""
        return {
            "reads": self._devices(inputs),
            "writes": self._devices(outputs),
            "inputs": self._numbers(trace, inputs),
            "outputs": self._numbers(trace, outputs),
            "input_sizes": self._sizes(inputs),
            "output_sizes": self._sizes(outputs),
        }

    def _numbers(self, trace: Trace, handles: list[Any]) -> tuple[int, ...]:
        return tuple(trace.number(self.storage(handle)) for handle in handles if address(handle))

    def _sizes(self, handles: list[Any]) -> tuple[int, ...]:
        return tuple(self.size(handle) for handle in handles if address(handle))

    def _devices(self, handles: list[Any]) -> tuple[int, ...]:
        return tuple(dict.fromkeys(map(self.device_number, handles)))

    def _before_wait(self, name: str, arguments: calls.Arguments, trace: Trace) -> None:
        """Open exactly what the wait needs."""
        if not trace.active:
            return
        target, label = calls.words(name, arguments)
        if name in calls.WAITS_FOR_EVERYTHING:
            trace.log("wait", label, trace.open_all(), target=target)
        else:
            for handles in calls.waited_for(name, arguments):
                opened = self._open_for(name, handles, trace)
                if opened is not None:
                    trace.log("wait", label, opened, target=target, inputs=self._numbers(trace, handles))
