"""The judge's requests, answered inside the student's kernel: call, observe, and nothing that decides."""

import inspect
import traceback
from types import ModuleType
from typing import Any, Callable, Optional

import numpy as np

from .watch import Watch, _clock
from .wire import Device, EngineArray, decode, encode

# A class of the student's may have a metaclass with a name of its own: this is the one that Python itself uses.
_name_of = type.__dict__["__name__"].__get__
# Errors whose text Python itself mostly writes; the text of any other may repeat an input of a hidden test.
SPEAKING_ERRORS = (AttributeError, ImportError, NameError, NotImplementedError, SyntaxError, TypeError)


class Probe:
    """Calls student code and reports what happened.

    engine: the adapter.  namespace: the student's global variables.  scenarios: the course's own module of named
    scenarios for this assignment, or None.
    """

    def __init__(self, engine: Any, namespace: dict[str, Any], scenarios: Optional[ModuleType]):
        self.engine = engine
        self.namespace = namespace
        self._scenarios = dict(vars(scenarios)) if scenarios else {}
        self._interface = ""

    def answer(self, request: dict[str, Any], buffers: list[Any]) -> tuple[dict[str, Any], list[bytes]]:
        """Answer one request with plain data and buffers.  Never raises."""
        out: list[bytes] = []
        try:
            self.engine.begin()
            self._interface = request["interface"]
            kind = request["kind"]
            if kind == "call":
                reply = self._call(request, buffers, out)
            elif kind == "observe":
                reply = self._observe(request, buffers, out)
            else:
                reply = {"fault": f"unknown request {kind!r}"}
        except BaseException as error:
            # Whatever escapes (an interrupt between two steps too) must still become a reply.
            out.clear()
            reply = {"fault": "".join(traceback.format_exception_only(type(error), error))[-2000:]}
        return reply, out

    # --- for requests and scenarios -----------------------------------------------------------------------------

    def array(self, values: Any) -> Any:
        """An engine array of the interface that the judge asked for, from an EngineArray or from numpy's values."""
        spec = values if isinstance(values, EngineArray) else EngineArray(np.asarray(values))
        return self.engine.array(spec, self._interface)

    def find(self, name: str) -> Any:
        """The student's object of that name.  Raises NameError if there is none."""
        try:
            return self.namespace[name]
        except KeyError:
            raise NameError(f"name '{name}' is not defined") from None

    def attempt(self, function: Callable, /, *arguments: Any, **keywords: Any) -> tuple[Any, Optional[dict[str, Any]]]:
        """Call student code; returns (what it returned, how it failed or None)."""
        try:
            return function(*arguments, **keywords), None
        except BaseException as error:
            return None, describe_error(error)

    def describe(self, error: BaseException) -> dict[str, Any]:
        """Type, text and line of an exception, as far as a student may see them."""
        return describe_error(error)

    # --- requests -----------------------------------------------------------------------------------------------

    def _call(self, request: dict[str, Any], buffers: list[Any], out: list[bytes]) -> dict[str, Any]:
        """Call a function of the student's by name, positionally, with gates as the request says."""
        watch = Watch(gate_results=request["gate_results"], patience=request["patience"])

        def to_engine(spec: Any) -> Any:
            if isinstance(spec, Device):
                return self.engine.device(spec)
            array = self.array(spec)
            inputs.append(array)
            if spec.gated:
                to_gate.append((array, spec.values))
            return array

        inputs: list[Any] = []
        to_gate: list[tuple[Any, np.ndarray]] = []
        arguments = decode(request["arguments"], buffers, to_engine)
        keywords = decode(request["keywords"], buffers, to_engine)
        unrelated = self.array(EngineArray(np.ones(1, dtype=np.float32))) if request["unrelated"] else None
        self.engine.wait_all()
        for number, (array, values) in enumerate(to_gate):
            self.engine.withhold(watch, array, values, f"argument {number}")
        if unrelated is not None:
            self.engine.close_gate(watch, unrelated, "unrelated", unrelated=True)

        try:
            function = self.find(request["name"])
        except NameError as undefined:
            self.engine.release(watch)
            return {"error": describe_error(undefined)}
        began = _clock()
        with self.engine.watching(watch):
            returned, error = self.attempt(function, *arguments, **keywords)
            issued = _clock()
        pending = watch.pending
        ready = all(self.engine.is_settled(array) for array in self._engine_arrays(returned))
        watch.open_all()
        failed_later = self._finish()
        finished = _clock()
        reply: dict[str, Any] = {
            "error": error or failed_later,
            "pending": list(pending),
            "ready": ready,
            "events": watch.report(),
            "issue_seconds": issued - began,
            "finished_seconds": finished - began,
        }
        if reply["error"] is None:
            reply["returned"] = encode(returned, out, self.engine.describe)
            reply["arguments_after"] = encode(list(arguments), out, self.engine.describe)
            reply["inputs_after"] = encode(inputs, out, self.engine.describe)
        self.engine.release(watch)
        return reply

    def _observe(self, request: dict[str, Any], buffers: list[Any], out: list[bytes]) -> dict[str, Any]:
        """Run a named scenario of the course with plain parameters.

        Whatever it raises is of the student's code, or of what that has made: with a right solution no scenario does.
        """
        scenario = self._scenarios.get(request["name"])
        if not callable(scenario):
            return {"fault": "there is no scenario {!r} in the course's probes".format(request["name"])}
        parameters = decode(request["parameters"], buffers)
        inspect.signature(scenario).bind(self, **parameters)  # else it is the grader's mistake
        observed, error = self.attempt(scenario, self, **parameters)
        return {"observed": encode({"error": error} if error else observed, out, self.engine.describe)}

    def _engine_arrays(self, value: Any, depth: int = 0) -> list[Any]:
        if self.engine.is_array(value):
            return [value]
        if depth < 4 and type(value) in (list, tuple):
            return [array for item in value for array in self._engine_arrays(item, depth + 1)]
        return []

    def _finish(self) -> Optional[dict[str, Any]]:
        """Wait for the engine; an operation that failed shows only now."""
        return self.attempt(self.engine.wait_all)[1]


def describe_error(error: BaseException) -> dict[str, Any]:
    """Type, text and line of an exception, as far as a student may see them."""
    line = None
    for frame, number in traceback.walk_tb(error.__traceback__):
        name = frame.f_code.co_filename
        if "ipykernel_" in name or name.startswith("<ipython-input"):
            line = number
    return {"type": _name_of(type(error))[:60], "text": _text_of(error), "line": line}


def _text_of(error: BaseException) -> str:
    """What a speaking error says.  Its class may be the student's, and its text their code, which may fail."""
    if not isinstance(error, SPEAKING_ERRORS):
        return ""
    try:
        return str.__getitem__(str(error), slice(300))  # it may be of a class of the student's, too
    except BaseException:
        return ""
