"""Answers the judge's requests inside the student's kernel: call and observe. It decides nothing."""

import inspect
import traceback
from contextlib import AbstractContextManager
from types import ModuleType
from typing import Any, Callable, Optional

import numpy as np

from .run import Run, run
from .serialization import Device, Encoded, EngineArray, Handle, decode, encode, settle
from .trace import Trace

# A student's class may have a metaclass that overrides the name; this one is Python's own.
_name_of, _bases_of = type.__dict__["__name__"].__get__, type.__dict__["__mro__"].__get__
MOST_BASES = 50
# Errors whose text Python itself usually writes; the text of any other may repeat an input of a hidden test.
SPEAKING_ERRORS = (AttributeError, ImportError, NameError, NotImplementedError, SyntaxError, TypeError)
ENGINES_ERRORS = (RuntimeError,)  # the judge shows of their texts only known texts of the engine


class Probe:
    """Calls student code and reports what happened.

    Args:
        engine: The adapter.
        namespace: The student's global variables.
        scenarios: The course's own module of named scenarios for this assignment, or None.
    """

    def __init__(self, engine: Any, namespace: dict[str, Any], scenarios: Optional[ModuleType]):
        self.engine = engine
        self.namespace = namespace
        self._scenarios = dict(vars(scenarios)) if scenarios else {}
        self._interface = ""
        self._out: list[Any] = []  # buffers of the reply
        self._fixed: list[Encoded] = []

    def reply(self, request: dict[str, Any], buffers: list[Any]) -> tuple[dict[str, Any], list[bytes]]:
        """Reply to one request with the JSON of the reply and its arrays. Never raises."""
        out: list[Any] = []
        try:
            self._out, self._fixed = out, []
            self.engine.begin()
            self._interface = request["interface"]
            kind = request["kind"]
            if kind == "call":
                reply = self._call(request, buffers)
            elif kind == "observe":
                reply = self._observe(request, buffers)
            else:
                reply = {"fault": f"unknown request {kind!r}"}
            settle(out)
        except BaseException as error:
            # Whatever escapes (also an interrupt between two steps) must become a reply.
            out.clear()
            reply = {"fault": "".join(traceback.format_exception_only(type(error), error))[-2000:]}
        return reply, out

    def array(self, values: Any) -> Any:
        """Return an engine array of the judge's interface, from the judge's data or NumPy values."""
        if isinstance(values, Handle):
            return self.engine.adopt(values)
        spec = values if isinstance(values, EngineArray) else EngineArray(np.asarray(values))
        return self.engine.array(spec, self._interface)

    def find(self, name: str) -> Any:
        """Return the student's object of that name."""
        try:
            return self.namespace[name]
        except KeyError:
            raise NameError(f"name '{name}' is not defined") from None

    def attempt(
        self, function: Callable[..., Any], /, *arguments: Any, **keywords: Any
    ) -> tuple[Any, Optional[dict[str, Any]]]:
        """Call student code; returns what it returned, and how it failed (see `describe_error`) or None."""
        try:
            return function(*arguments, **keywords), None
        except BaseException as error:
            return None, describe_error(error)

    def run(self, trace: Optional[Trace] = None) -> AbstractContextManager[Run]:
        """Return a run of student code, for a scenario: ``with probe.run() as seen``.

        It begins when everything enqueued before is computed, so that a gate holds back only what its array needs.  At
        the end of the block every gate opens, so record inside the block what the judge must see as it was at the
        return.  ``trace`` is the scenario's own; by default a new one.
        """
        return run(self.engine, trace or Trace(), self.attempt, self.log_of)

    def fix(self, value: Any) -> Encoded:
        """Fix what the judge sees of ``value`` at this moment, for the report of a scenario.

        It does not wait.  Returned and changed values are fixed before a gate opens and before anything waits, so that
        student threads cannot finish the work meanwhile.
        """
        self._fixed.append(Encoded(encode(value, self._out, self._cross)))
        return self._fixed[-1]

    def log_of(self, trace: Trace) -> Encoded:
        """Return a log for the report of a scenario in the form of a call's reply, however long it is."""
        self._fixed.append(Encoded({"log": trace.report()}))
        return self._fixed[-1]

    def _cross(self, value: Any) -> Any:
        """Return the values for `encode`: the engine's, and those fixed in this request."""
        return value if any(value is fixed for fixed in self._fixed) else self.engine.describe(value)

    def describe(self, error: BaseException) -> dict[str, Any]:
        """Return type, text and line of an exception, as far as a student may see them."""
        return describe_error(error)

    def _call(self, request: dict[str, Any], buffers: list[Any]) -> dict[str, Any]:
        """Call a student's function by name with positional arguments and the request's gates."""
        trace = Trace(gate_results=request["gate_results"], patience=request["patience"])

        def to_engine(spec: Any) -> Any:
            if isinstance(spec, Device):
                return self.engine.device(spec)
            array = self.array(spec)
            inputs[id(array)] = array, self.engine.keep(array)
            if isinstance(spec, EngineArray) and spec.gated:
                to_gate.append((array, spec.values))
            return array

        inputs: dict[int, tuple[Any, Any]] = {}  # by its id: the object for the code, and the handle for the judge
        to_gate: list[tuple[Any, np.ndarray]] = []
        arguments = decode(request["arguments"], buffers, to_engine)
        keywords = decode(request["keywords"], buffers, to_engine)
        unrelated = self.array(EngineArray(np.ones(1, dtype=np.float32))) if request["unrelated"] else None
        self.engine.wait_all()
        for _, copy in inputs.values():
            self.engine.follow(trace, copy)
        for number, (array, values) in enumerate(to_gate):
            self.engine.withhold(trace, array, values, f"argument {number}")
        if unrelated is not None:
            self.engine.close_gate(trace, unrelated, "unrelated", unrelated=True)

        try:
            function = self.find(request["name"])
        except NameError as undefined:
            self.engine.release(trace)
            return {"error": describe_error(undefined)}
        with self.engine.tracing(trace):
            with trace:
                returned, error = self.attempt(function, *arguments, **keywords)
            found: list[EngineArray] = []
            reply: dict[str, Any] = {
                "pending": list(trace.pending),
                "returned": encode(returned, self._out, lambda value: self._noting(value, found)),
                "arguments_after": encode(list(arguments), self._out, lambda value: self._as_input(value, inputs)),
                "inputs_after": self.fix([self._known(*pair) for pair in inputs.values()]).data,
                "ready": self._are_ready(trace, found),
            }
            trace.end()
            failed_later = self.attempt(self.engine.wait_all)[1]
        reply.update(error=error or failed_later, events=trace.report(), lines=self.engine.lines())
        settle(self._out)
        self.engine.release(trace)
        return reply

    def _as_input(self, value: Any, inputs: dict[int, tuple[Any, Any]]) -> Any:
        """Return the plain form of a value; an input stays the judge's array, whatever its object has now."""
        return self.engine.describe(self._known(*inputs[id(value)]) if id(value) in inputs else value)

    def _known(self, array: Any, copy: Any) -> Any:
        """Return the array itself if it is the stored one: its gradient buffer may be new."""
        return array if self.engine.is_still(array, copy) else copy

    def _noting(self, value: Any, found: list[EngineArray]) -> Any:
        """Return the plain form of a value, and note its arrays as they are encoded."""
        plain = self.engine.describe(value)
        if type(plain) is EngineArray:
            found.append(plain)
        return plain

    def _are_ready(self, trace: Trace, arrays: list[EngineArray]) -> Optional[bool]:
        """Whether all of these are computed while gates are closed; None if unknown, or if there are none."""
        answers = [self.engine.is_ready(trace, array) for array in arrays]
        if False in answers:
            return False
        return None if None in answers or not answers else True

    def _observe(self, request: dict[str, Any], buffers: list[Any]) -> dict[str, Any]:
        """Run a named scenario with plain parameters, and return its report as plain data.

        Whatever it raises comes from student code: with a right solution no scenario raises.
        """
        scenario = self._scenarios.get(request["name"])
        if not callable(scenario):
            return {"fault": "there is no scenario {!r} in scenarios.py".format(request["name"])}
        parameters = decode(request["parameters"], buffers, lambda sent: sent)
        inspect.signature(scenario).bind(self, **parameters)  # an error here is the grader's mistake
        observed, error = self.attempt(scenario, self, **parameters)
        return {"observed": self.fix({"error": error} if error else observed).data, "lines": self.engine.lines()}


def describe_error(error: BaseException) -> dict[str, Any]:
    """Return the part of an exception that a student may see.

    Under "types" the names of its class and base classes, nearest first; "text"; and under "line" the last line of the
    notebook's cells that it came through, or None.
    """
    line = None
    for frame, number in traceback.walk_tb(error.__traceback__):
        name = frame.f_code.co_filename
        if "ipykernel_" in name or name.startswith("<ipython-input"):
            line = number
    names = [_name_of(base)[:60] for base in _bases_of(type(error))[:MOST_BASES]]
    return {"types": names, "text": _text_of(error), "line": line}


def _text_of(error: BaseException) -> str:
    """Return an error's message, or "". Its class and message may be student code, which may fail."""
    if not isinstance(error, (*SPEAKING_ERRORS, *ENGINES_ERRORS)):
        return ""
    try:
        return str.__getitem__(str(error), slice(300))  # the text may be an instance of a student's class
    except BaseException:
        return ""
