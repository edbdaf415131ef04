"""Scenarios of the `hybridize` assignment: what the judge does in the student's kernel beyond a plain call.

Runs in the engine environment.  A scenario takes the probe and plain parameters and returns plain data; it holds no
expected value.
"""

import ast
import builtins
import json
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from decimal import Decimal
from fractions import Fraction
from inspect import getsource
from linecache import getlines
from time import perf_counter, sleep, thread_time
from typing import TYPE_CHECKING, Any, Optional

import numpy as np
from mxnet import autograd, cpu, gluon, nd, sym
from mxnet.gluon import nn

if TYPE_CHECKING:
    from syncpoint.probe.handlers import Probe
    from syncpoint.probe.run import Run
    from syncpoint.probe.trace import Trace
else:
    from probe.trace import Trace

# Private references: a notebook may replace the names of the modules.
_compile, _exec = builtins.compile, builtins.exec
_run_process, _python, _environment = subprocess.run, sys.executable, dict(os.environ)
_frame, _parse = sys._getframe, ast.parse.__code__
# The names of every module that was loaded before the notebook: whatever has others is the student's.
_LIBRARIES = {id(globals()), *(id(getattr(module, "__dict__", None)) for module in [*sys.modules.values()])}
PROCESS_SECONDS = 60.0  # a process that imports MXNet and calls one network takes about one, and thirty at load 15


# --- symbolic programs ----------------------------------------------------------------------------------------------


def text_functions(
    probe: "Probe",
    texts: list[str],
    function: str,
    inputs: list[Any],
    replaced: str = "",
    factor: float = 1,
    offset: float = 0,
) -> dict[str, Any]:
    """Run program texts of the student's, then call the function of that name that they define.

    texts: names of the student's functions that return text; the texts are run one after another.  replaced: the name
    of a function in the place of which the texts find one of our own, see `_Names`.
    Reports the types of the texts, what ``function`` returned for each input, and how often it called ours.
    """
    written = [probe.find(name)() for name in texts]
    names = _Names(replaced, factor, offset)
    for text in written:
        _exec(text, names)
    returned: list[Any] = []
    called: list[int] = []
    wanted = names.get(function)
    if callable(wanted):
        for numbers in inputs:
            names.calls = 0
            returned.append(wanted(*numbers))
            called.append(names.calls)
    return {"types": [type(text).__name__ for text in written], "returned": returned, "called": called}


def text_program(probe: "Probe", text: str, inputs: list[Any]) -> dict[str, Any]:
    """Run the program whose text the student's function ``text`` returns; reports its type and its results."""
    written = probe.find(text)()
    program = _compile(written, "<program>", "exec")
    return {"type": type(written).__name__, "results": [_result(program, *numbers) for numbers in inputs]}


def compiled(probe: "Probe", inputs: list[Any], evoked: bool, shift: int = 0) -> dict[str, Any]:
    """Let the student compile the program once and, if ``evoked``, evoke it for each input.

    Each time when the program ends, ``shift`` is added to its result.

    Reports the type of what was compiled, what it leaves as result where nothing else is defined, what evoke returned,
    how often the program ran meanwhile, and the beginnings of all texts that were compiled, by whatever function; see
    `_counting_compilations`.
    """
    compile_program, evoke = probe.find("compile_program"), probe.find("evoke")
    runs: list[str] = []
    with _counting_compilations() as counted:
        program = compile_program()
        before = sys.getprofile()

        def note(frame: Any, event: str, _: Any) -> None:
            if frame.f_code is not program:
                return
            if event == "call":
                runs.append(event)
            elif event == "return" and isinstance(frame.f_locals.get("result"), (int, float)):
                frame.f_locals["result"] += shift  # of a program these are its names, and no copy

        sys.setprofile(note)
        try:
            returned = [evoke(program, *numbers) for numbers in inputs if evoked]
        finally:
            sys.setprofile(before)
    return {
        "type": type(program).__name__,
        "alone": [probe.attempt(_result, program, *numbers)[0] for numbers in inputs],
        "returned": returned,
        "runs": len(runs),
        "compilations": counted,
    }


def rewired(
    probe: "Probe", program: str, replaced: str, factor: float, offset: float, inputs: list[Any]
) -> dict[str, Any]:
    """Run the program that the student's function ``program`` returns, as a text or compiled, for each input.

    In the place of its function ``replaced`` it finds one of our own, see `_Names`.  Reports its results.
    """
    written = probe.find(program)()
    results = []
    for numbers in inputs:
        names = _Names(replaced, factor, offset)
        names.update(zip("abcd", numbers))
        _exec(written, names)
        results.append(names.get("result"))
    return {"results": results}


def evoke_another(probe: "Probe", text: str, inputs: list[Any]) -> dict[str, Any]:
    """Pass our own program to the student's evoke; report what it returned for each input."""
    evoke = probe.find("evoke")
    program = _compile(text, "<program>", "exec")
    return {"returned": [evoke(program, *numbers) for numbers in inputs]}


class _Names(dict):
    """The names of a program; once it has defined ``replaced``, code that looks that up finds our function.

    Ours returns ``factor`` times the sum of its arguments, plus ``offset``, and counts its calls.
    """

    def __init__(self, replaced: str, factor: float, offset: float) -> None:
        super().__init__()
        self._replaced, self._factor, self._offset = replaced, factor, offset
        self.calls = 0

    def __getitem__(self, name: str) -> Any:
        # Python looks names up in here, also for the functions of the program, because this is not a plain dict.
        value = super().__getitem__(name)
        return self._ours if name == self._replaced else value

    def _ours(self, *arguments: Any, **keywords: Any) -> Any:
        self.calls += 1
        return self._factor * sum((*arguments, *keywords.values())) + self._offset


def _result(program: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    """What the program leaves under the name result."""
    names = {"a": a, "b": b, "c": c, "d": d}
    _exec(program, names)
    return names.get("result")


_counts: list[list[str]] = []  # the lists that take note of what is compiled


def _note_compilation(event: str, arguments: tuple[Any, ...]) -> None:
    """Record each text and each syntax tree that Python compiles, whichever code asks for it."""
    # Who parses gets a tree, and no program.
    if event == "compile" and _counts and _frame(1).f_code is not _parse:
        source = arguments[0]
        text = source.decode(errors="replace") if isinstance(source, bytes) else str(source)
        for counted in _counts:
            counted.append(text[:200])


sys.addaudithook(_note_compilation)


@contextmanager
def _counting_compilations() -> Iterator[Any]:
    """A list of the texts that become programs meanwhile, each as often as it does; a tree as "<ast.Module ...>"."""
    counted: list[str] = []
    _counts.append(counted)
    try:
        yield counted
    finally:
        _counts.remove(counted)


# --- networks -------------------------------------------------------------------------------------------------------


def passes(
    probe: "Probe", network: str, weights: list[np.ndarray], inputs: list[Any], hybridized: bool, training: bool = False
) -> dict[str, Any]:
    """Make the student's network, give it these weights, and call it with each input.

    network: the name of what makes it.  weights: arrays of different shapes; each parameter takes the one of its own
    shape.  hybridized: whether hybridize() is called before the calls; no input is computed then before somebody
    waits.  training: whether they are made in training mode.
    Reports its kinds and the shapes of its parameters and, if there is a matrix for each of the layers, of each call:
    the output, the operations it enqueued, what waited for its input, and the student's functions that ran.
    """
    net = probe.find(network)()
    report = _kinds(net)
    if not report["block"]:
        return report
    report["shapes"] = _set_weights(net, weights, nd.array(inputs[0]))
    if not _fits(report["shapes"], weights):
        return report
    if hybridized:
        net.hybridize()
    for values in inputs:
        x = nd.array(values)
        with probe.run() as seen:
            if hybridized:
                seen.close(x, "x")
            mode = autograd.train_mode() if training else autograd.predict_mode()
            with mode, seen.traced(), _noting_functions() as functions:
                output = net(x)
            output = probe.fix(output)
            seen.trace.open_all()
            probe.engine.wait_all()  # what fails here is the student's error
        operations = [event.label for event in seen.trace.events if event.kind == "enqueue"]
        call = {"output": output, "operations": operations, "waited": _waited(seen), "functions": functions[:50]}
        report["calls"].append(call)
    _take_back(probe, net)
    return report


def _waited(seen: "Run") -> list[str]:
    """What waited for something unfinished."""
    return [event.label for event in seen.trace.events if event.opened]


def layers(probe: "Probe", network: str) -> dict[str, Any]:
    """Report of each block in the student's network, at any depth, the Gluon class that it is derived from."""
    names, blocks = [], [probe.find(network)()]
    while blocks:
        block = blocks.pop()
        names += [kind.__name__ for kind in type(block).__mro__ if kind.__module__.startswith("mxnet.")][:1]
        blocks += block._children.values()
    return {"layers": names}


def pending_pass(probe: "Probe", network: str, weights: list[np.ndarray], x: Any) -> dict[str, Any]:
    """Call the student's network, not hybridized, with an input that is not computed before somebody waits.

    Reports, in addition to what `passes` reports, what waited for it.  Printing it is no wait: that is also right for
    Symbols.
    """
    net = probe.find(network)()
    report = _kinds(net)
    if not report["block"]:
        return report
    x = nd.array(x)
    report["shapes"] = _set_weights(net, weights, x)
    if not _fits(report["shapes"], weights):
        return report
    with _printing_no_numbers(), probe.run() as seen:
        seen.close(x, "x")
        seen.call(net, x)
        report["error"] = seen.error
    return {**report, "waited": _waited(seen)}


@contextmanager
def _printing_no_numbers() -> Iterator[Any]:
    """Arrays are printed by their kind alone, as Symbols are."""
    before = nd.NDArray.__repr__
    nd.NDArray.__repr__ = object.__repr__
    try:
        yield
    finally:
        nd.NDArray.__repr__ = before


def symbol_pass(probe: "Probe", network: str, weights: list[np.ndarray], x: Any) -> dict[str, Any]:
    """Give the student's network a Symbol.

    Reports, in addition to what `passes` reports, whether the answer is a Symbol, the operators of its graph, and what
    the graph computes from these weights and x.
    """
    net = probe.find(network)()
    report = _kinds(net)
    if not report["block"]:
        return report
    report["shapes"] = _set_weights(net, weights, nd.array(x))
    if not _fits(report["shapes"], weights):
        return report
    answer = net(sym.var("data"))
    report["symbol"] = isinstance(answer, sym.Symbol)
    if report["symbol"]:
        report["operators"] = [node["op"] for node in json.loads(answer.tojson())["nodes"] if node["op"] != "null"]
        parameters = {parameter.name: parameter.data() for parameter in net.collect_params().values()}
        report["output"] = probe.fix(answer.eval(ctx=cpu(), data=nd.array(x), **parameters)[0])
        probe.engine.wait_all()
    return report


def front_end(probe: "Probe", network: str, x: Any, pairs: int, passes: int) -> dict[str, Any]:
    """CPU seconds of the main thread for ``passes`` calls of the student's network.

    Reports its kinds and this many pairs [as it was made, hybridized], taken in turn from two networks; the engine's
    own work is waited for outside of the clock.  If the two are one, that one is hybridized and taken back in turn.
    """
    plain, hybridized = probe.find(network)(), probe.find(network)()
    one = plain is hybridized
    x = nd.array(x)
    for net in (plain, hybridized):
        _initialize(net)
        if net is hybridized:
            net.hybridize()
        for _ in range(3):
            net(x)
    seconds = []
    for _ in range(pairs):
        pair = []
        for net, active in ((plain, False), (hybridized, True)):
            if one:
                net.hybridize(active)
                net(x)
            probe.engine.wait_all()
            began = thread_time()
            for _ in range(passes):
                net(x)
            pair.append(thread_time() - began)
        seconds.append(pair)
    probe.engine.wait_all()
    _take_back(probe, hybridized)
    return {**_kinds(plain), "seconds": seconds}


def several_networks(probe: "Probe", network: str, count: int) -> dict[str, Any]:
    """Make the student's network this many times; reports how many there are, and how many parameters each has.

    Networks and parameters that are one object count once; "parameters" are those of each, and "different" of all.
    """
    networks = [probe.find(network)() for _ in range(count)]
    parameters = [list(net.collect_params().values()) for net in networks]
    different = {id(parameter) for own in parameters for parameter in own}
    return {
        "networks": len({id(net) for net in networks}),
        "parameters": [len(own) for own in parameters],
        "different": len(different),
    }


def _kinds(net: Any) -> Any:
    """What a report on a network begins with."""
    return {
        "block": isinstance(net, gluon.Block),
        "hybrid_block": isinstance(net, gluon.HybridBlock),
        "hybrid_sequential": isinstance(net, nn.HybridSequential),
        "shapes": [],
        "calls": [],
    }


def _take_back(probe: "Probe", net: Any) -> None:
    """Undo hybridize(): code that shares a network or its layers between calls must not see our changes later."""
    probe.attempt(net.hybridize, False)


def _initialize(net: Any) -> None:
    """Initialize what is not initialized yet; MXNet warns about the rest and leaves it unchanged."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        net.initialize()


def _set_weights(net: Any, weights: list[np.ndarray], x: Any) -> Any:
    """Give each parameter the weights of its shape; returns the shapes of all parameters.

    Where a layer has another size, its parameters get numbers that are the same in each call.
    """
    _initialize(net)
    net(x)  # what was not known of the shapes is known now
    parameters = list(net.collect_params().values())
    for parameter in parameters:
        fitting = [values for values in weights if parameter.shape == values.shape]
        similar = [values for values in weights if len(parameter.shape) == values.ndim]
        for values in fitting or similar[:1]:
            parameter.set_data(nd.array(np.resize(values, parameter.shape)))
    return [parameter.shape for parameter in parameters]


def _fits(shapes: list[tuple[int, ...]], weights: list[np.ndarray]) -> Any:
    """Whether there is a matrix for each of the layers: these may have other sizes, and no biases."""
    return sum(len(shape) > 1 for shape in shapes) == sum(values.ndim > 1 for values in weights)


@contextmanager
def _noting_functions() -> Iterator[Any]:
    """A list of the names of the student's functions that run meanwhile in this thread."""
    functions = []

    def note(frame: Any, event: str, argument: Any) -> None:
        # Not by the name of the file alone: text can be compiled under any.
        file = frame.f_code.co_filename
        own = "ipykernel_" in file or file.startswith("<ipython-input") or id(frame.f_globals) not in _LIBRARIES
        if event == "call" and own:
            functions.append(frame.f_code.co_name)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield functions
    finally:
        sys.setprofile(before)


# --- the clock ------------------------------------------------------------------------------------------------------


class _SlowTrace(Trace):
    """A wait that opens a gate takes some time, so that a clock shows whether it was running."""

    def __init__(self, seconds: float) -> None:
        super().__init__(patience=10.0)
        self._slowness = seconds
        self.waited_until: Optional[float] = None

    def log(self, kind: str, label: str, opened: tuple[str, ...] = (), **more: Any) -> None:
        super().log(kind, label, opened, **more)
        if kind == "wait" and opened:
            sleep(self._slowness)
            self.waited_until = perf_counter()


class _Counted(nn.HybridSequential):  # as the notebook's networks are: it can be hybridized
    """Counts its forward passes.

    None from pass ``first`` on is computed before somebody waits; the output of pass ``last`` has a gate of its own.
    """

    def __init__(
        self,
        probe: "Probe",
        trace: Any,
        weights: list[np.ndarray],
        x: Any,
        first: Optional[int] = None,
        last: Optional[int] = None,
        first_seconds: float = 0.0,
    ) -> None:
        super().__init__()
        with self.name_scope():
            self.layer = nn.Dense(2, in_units=x.shape[1])
        super().initialize()
        for parameter, values in zip((self.layer.weight, self.layer.bias), weights):
            parameter.set_data(nd.array(values))
        self._probe, self._trace, self._x = probe, trace, probe.engine.keep(x)
        self._first, self._last, self._first_seconds = first, last, first_seconds
        self.count = self.with_x = self.hybridized = self.recorded = 0
        self.began: Optional[float] = None
        self.changes: list[str] = []

    def forward(self, x: Any) -> Any:
        self.count += 1
        self.with_x += self._probe.engine.is_still(x, self._x)
        self.hybridized += self.layer._active
        self.recorded += autograd.is_recording()
        if self.count == self._first:
            self.began = perf_counter()
            sleep(self._first_seconds)
            self._probe.engine.close_gate(self._trace, self.layer.weight.data(), "all passes")
        output = self.layer(x)
        if self.began is not None:
            self._trace.log("pass", str(self.count))
        if self.count == self._last:
            self._probe.engine.close_gate(self._trace, output, "last pass")
        return output

    def hybridize(self, *arguments: Any, **keywords: Any) -> None:
        self.changes.append("hybridize")
        super().hybridize(*arguments, **keywords)

    def initialize(self, *arguments: Any, **keywords: Any) -> None:
        self.changes.append("initialize")
        super().initialize(*arguments, **keywords)


def benchmark(
    probe: "Probe", weights: list[np.ndarray], x: Any, timed: int, first_seconds: float, wait_seconds: float
) -> dict[str, Any]:
    """Call the student's benchmark with a network that counts its passes.

    A first call shows how many passes it makes.  In the second, none of the last ``timed`` passes is computed before
    somebody waits; that wait takes ``wait_seconds`` more, and the first of these passes ``first_seconds`` more.
    Reports what was returned; the shortest and the longest time that a right clock can show, [from the beginning of
    these passes to the end of the wait, from before the call to after it]; the passes in all, those with the x that was
    given, those with a hybridized layer, those that are recorded for a gradient and those that are timed; the changes
    of the network; its weights afterwards; the gates that were closed at return; and the log, which also holds "pass"
    for the timed ones.
    """
    student = probe.find("benchmark")
    x = nd.array(x)
    counted = _Counted(probe, None, weights, x)
    student(counted, x)
    trace = _SlowTrace(wait_seconds)
    first = max(1, counted.count - timed + 1)
    net = _Counted(probe, trace, weights, x, first, counted.count, first_seconds)
    with probe.run(trace) as seen:
        with seen.traced():
            called = perf_counter()
            returned, seen.error = probe.attempt(student, net, x)
            ended = perf_counter()
        unfinished = list(trace.pending)
        fixed = probe.fix([net.layer.weight.data(), net.layer.bias.data()])
    return seen.report(
        # A number as it crosses to the judge.
        returned=float(returned) if isinstance(returned, (Fraction, Decimal)) else returned,
        shortest=None if trace.waited_until is None or net.began is None else trace.waited_until - net.began,
        longest=ended - called,
        x=x,
        passes=net.count,
        passes_with_x=net.with_x,
        passes_recorded=net.recorded,
        passes_hybridized=net.hybridized + net.layer._active + net._active,
        timed=net.count - first + 1,
        changes=net.changes,
        weights=None if seen.error else fixed,
        unfinished=unfinished,
    )


# --- files ----------------------------------------------------------------------------------------------------------


def _outputs_of_files(
    prefix: str,
    inputs: dict[str, np.ndarray],
    # A notebook may replace the names of the modules later.
    import_block: Any = gluon.SymbolBlock.imports,
    load_arrays: Any = nd.load,
    load_symbol: Any = sym.load,
) -> dict[str, Any]:
    """What the exported network computes from each of the inputs (name -> values).

    A new process runs the source of this function: it must know nothing but its arguments, and the modules that are
    imported there.
    """
    program, parameters = prefix + "-symbol.json", prefix + "-0000.params"
    known = {name.split(":")[-1] for name in load_arrays(parameters)}
    names = [name for name in load_symbol(program).list_inputs() if name not in known]
    block = import_block(program, names, parameters)
    return {name: block(nd.array(values)).asnumpy() for name, values in inputs.items()}


FRESH_PROCESS = f"""
import sys
from typing import Any
import numpy as np
from mxnet import gluon, nd, sym

{getsource(_outputs_of_files)}

prefix, given, answer = sys.argv[1:]
np.savez(answer, **_outputs_of_files(prefix, dict(np.load(given))))
"""


def exported(
    probe: "Probe", network: dict[str, Any], x: Any, inputs: list[Any], before: list[str], fresh: bool, name: str
) -> dict[str, Any]:
    """Let the student export a network of our own, and load the files: in a fresh process, or here.

    network: the arguments of `_perceptron`.  x: what export_net gets.  before: what was done to the network by then, in
    this order: each is "call" or "hybridize".  name: the prefix, in a new folder.
    Reports the files that were written, as endings after the prefix, the outputs of the loaded network for each of
    the inputs (None if it failed), those of the network itself, called by us after the export, how many of its
    parameters are trained then, and x afterwards.
    """
    export_net = probe.find("export_net")
    net, x = _perceptron(**network), nd.array(x)
    steps = {"call": lambda: net(x), "hybridize": net.hybridize}
    for step in before:
        steps[step]()
    with _folder() as folder:
        prefix = os.path.join(folder, name)
        place, begin = os.path.split(prefix)
        os.makedirs(place, exist_ok=True)
        export_net(net, x, prefix)
        named = {f"x{number}": values for number, values in enumerate(inputs)}
        outputs, _ = probe.attempt(_in_fresh_process if fresh else _outputs_of_files, prefix, named)
        return {
            "files": sorted(file[len(begin) :] for file in os.listdir(place) if file.startswith(begin)),
            "outputs": outputs and [outputs[name] for name in named],
            "own_outputs": [net(nd.array(values)) for values in inputs],
            "trained": sum(parameter.grad_req == "write" for parameter in net.collect_params().values()),
            "x": x,
        }


def loaded(probe: "Probe", networks: list[dict[str, Any]], inputs: list[Any]) -> dict[str, Any]:
    """Let the student load networks that we exported, all of them before the first is called.

    networks: for each the arguments of `_perceptron`.  inputs: for each an x.  Reports the outputs.
    """
    load_net = probe.find("load_net")
    with _folder() as folder:
        prefixes = [os.path.join(folder, f"network{number}") for number in range(len(networks))]
        for prefix, network, x in zip(prefixes, networks, inputs):
            _export(_perceptron(**network), x, prefix)
        blocks = [load_net(prefix) for prefix in prefixes]
    outputs = probe.fix([block(nd.array(x)) for block, x in zip(blocks, inputs)])
    probe.engine.wait_all()
    return {"outputs": outputs}


def loaded_later(
    probe: "Probe", exported: list[dict[str, Any]], written_over: dict[str, Any], inputs: list[Any]
) -> dict[str, Any]:
    """Let the student export our two networks, and load what the files hold when things have changed since then.

    exported: for each of the two the arguments of `_perceptron`.  The parameters of the first are changed after its
    export; the files of the second are written over by ``written_over``, a third network.  inputs: an x for each of
    the two.  Reports what the two loaded blocks compute, and the first one as a new kernel loads it (None if it fails).
    """
    export_net, load_net = probe.find("export_net"), probe.find("load_net")
    nets = [_perceptron(**network) for network in exported]
    with _folder() as folder:
        prefixes = [os.path.join(folder, f"network{number}") for number in range(len(nets))]
        for prefix, net, x in zip(prefixes, nets, inputs):
            export_net(net, nd.array(x), prefix)
        for parameter in nets[0].collect_params().values():
            parameter.set_data(parameter.data() * 2 + 1)
        _export(_perceptron(**written_over), inputs[1], prefixes[1])
        blocks = [load_net(prefix) for prefix in prefixes]
        anew, _ = probe.attempt(lambda: _made_anew(probe, "load_net")(prefixes[0])(nd.array(inputs[0])))
    outputs = probe.fix([*(block(nd.array(x)) for block, x in zip(blocks, inputs)), anew])
    probe.engine.wait_all()
    return {"outputs": outputs}


def _made_anew(probe: "Probe", name: str) -> Any:
    """The student's function of that name, as it is in a kernel in which export_net has never run.

    The cells that define the two functions run again, in a copy of the notebook's names.  (The function itself if its
    source is unknown.)
    """
    names = dict(probe.namespace)
    for function in ("export_net", name):
        place = getattr(getattr(probe.find(function), "__code__", None), "co_filename", "")
        with suppress(Exception):  # then the names are those of the notebook
            _exec(_compile("".join(getlines(place)), place, "exec"), names)
    return names[name]


def _export(net: Any, x: Any, prefix: str) -> None:
    """Write the two files of a network."""
    net.hybridize()
    net(nd.array(x))
    net.export(prefix)


class _PlusInput(nn.HybridBlock):
    """A body's output plus its input."""

    def __init__(self, body: Any) -> None:
        super().__init__()
        self.body = body

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return self.body(x) + x


def _perceptron(
    weights: list[np.ndarray], activation: str = "relu", plus_input: bool = False, averages: Any = ()
) -> Any:
    """Dense layers with these weights [W1, b1, W2, b2, ...], and the activation between them.

    plus_input: whether the input is added to the output.  averages: [gamma, beta, running mean, running variance] of a
    BatchNorm after the first activation, or none.
    """
    net = nn.HybridSequential()
    last = len(weights) // 2 - 1
    for number, (W, b) in enumerate(zip(weights[::2], weights[1::2])):
        layer = nn.Dense(len(b), in_units=W.shape[1], activation=None if number == last else activation)
        layer.initialize()
        layer.weight.set_data(nd.array(W))
        layer.bias.set_data(nd.array(b))
        net.add(layer)
        if number == 0 and len(averages):
            norm = nn.BatchNorm(in_channels=len(b))
            norm.initialize()
            for parameter, values in zip((norm.gamma, norm.beta, norm.running_mean, norm.running_var), averages):
                parameter.set_data(nd.array(values))
            net.add(norm)
    return _PlusInput(net) if plus_input else net


def _in_fresh_process(prefix: str, inputs: dict[str, Any]) -> Any:
    """The same as _outputs_of_files, from a process that has only the files."""
    with _folder() as folder:
        given, answer = os.path.join(folder, "given.npz"), os.path.join(folder, "answer.npz")
        np.savez(given, **inputs)
        command = [_python, "-I", "-c", FRESH_PROCESS, prefix, given, answer]
        options = {"cwd": folder, "env": _environment, "capture_output": True, "timeout": PROCESS_SECONDS}
        _run_process(command, check=True, **options)
        with np.load(answer) as outputs:
            return dict(outputs)


@contextmanager
def _folder() -> Iterator[Any]:
    """A new folder that is gone afterwards."""
    folder = tempfile.mkdtemp()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
