"""The engine `torch`: the judge reads the device's process and trusts nothing else."""

import contextlib
import os
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from results import points
from toy_gpu import Bench, student

from syncpoint.core.messages import Message
from syncpoint.engines.base import EngineGone, Moment, TooMuch
from syncpoint.engines.find import find
from syncpoint.engines.terms import use_terms
from syncpoint.engines.torch import channel, events
from syncpoint.engines.torch.outside import Outside
from syncpoint.graders import Device, EngineArray, array
from syncpoint.judge.errors import DeadKernelError
from syncpoint.judge.kernel import Kernel
from syncpoint.judge.student import Student
from syncpoint.observe.errors import BadReply, NotTested, ProbeError, StudentError
from syncpoint.observe.observation import Observation
from syncpoint.observe.outside_call import OutsideCall
from syncpoint.probe.serialization import Handle, Opaque
from syncpoint.sandbox.pool import close_all
from syncpoint.sandbox.seccomp import REFUSED, program
from syncpoint.sandbox.spec import SandboxSpec

Solve = Callable[[str], Student]
X = np.arange(9, dtype="float32").reshape(3, 3)


SCENARIOS = b"""
import torch


def total(probe, x):
    with probe.run() as seen:
        found = probe.fix(seen.call(lambda: torch.from_numpy(x).sum(0)))
    return seen.report(total=found)
"""


@pytest.fixture(scope="module")
def kernel(torch_engine: Path) -> Iterator[Kernel]:
    """A sandboxed kernel with its device."""
    with Kernel(SandboxSpec(torch_engine, scenarios=SCENARIOS)) as running:
        yield running


@pytest.fixture
def solve(kernel: Kernel) -> Solve:
    """A student whose function f is this."""
    return lambda source: student(kernel, source)


def kinds(seen: Observation) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(event.kind, event.label, event.opened) for event in seen.events]


@pytest.mark.exhaustive
def test_a_separate_sandbox_has_no_device_and_all_is_on_the_host(kernel: Kernel):
    with student(kernel, "").separate_sandbox() as away:
        seen = away.observe("total", x=X)
        assert away.kernel.engine is None and kernel.engine is not None
    assert seen["total"].device == 0
    np.testing.assert_array_equal(seen["total"].values, X.sum(0))


# --- values -------------------------------------------------------------------------------------------------------


def test_arguments_are_on_their_devices_and_results_are_read_from_there(solve: Solve):
    source = """
def f(x, y, host, device):
    return {"sum": x + 1, "view": x.t()[1:], "y": str(y.device), "host": host * 2, "device": device, "n": 3}
"""
    seen = solve(source).call("f", array(X, device=1), array(X, device=3), array(X), Device(2))
    returned = seen.returned
    assert (returned["y"], returned["device"], returned["n"]) == ("simgpu:2", Device(2), 3)
    assert [returned[name].device for name in ("sum", "view", "host")] == [1, 1, 0]
    np.testing.assert_array_equal(returned["sum"].values, X + 1)
    np.testing.assert_array_equal(returned["view"].values, X.T[1:])
    np.testing.assert_array_equal(returned["host"].values, X * 2)
    assert kinds(seen) == [("enqueue", "add", ())]


@pytest.mark.parametrize("kind", ["float64", "int64", "int32", "uint8", "bool"])
def test_values_keep_their_type(solve: Solve, kind: str):
    values = X.astype(kind)
    seen = solve("def f(x):\n    return x.clone()").call("f", array(values, device=1, dtype=kind))
    assert seen.returned.values.dtype == kind
    np.testing.assert_array_equal(seen.returned.values, values)


def test_gradients_go_in_and_come_out(solve: Solve):
    seen = solve("def f(x):\n    (x * x).sum().backward()").call("f", array(X, device=1, gradient=1))
    np.testing.assert_array_equal(seen.inputs[0].gradient, 2 * X + 1)


def test_what_nobody_has_written_is_no_value(solve: Solve):
    seen = solve("def f():\n    return torch.empty(2, 2, device='simgpu')").call("f")
    assert np.isnan(seen.returned.values).all()


def test_an_operation_that_fails_later_is_the_students_error(solve: Solve):
    source = "def f(x, i):\n    return x[i]"
    indices = array(np.array([7]), device=1)
    seen = solve(source).attempt("f", array(X, device=1), indices)
    assert seen.error is not None and (seen.error.type, seen.returned) == ("LateError", None)
    assert solve("def f(x):\n    return x + 1").call("f", array(X, device=1)).error is None


# --- gates and the log --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wait", "target"),
    [
        ("y.sum().item()", "host copy"),
        ("y.tolist()", "host copy"),
        ("print(y)", "host copy"),
        ("bool(y.any())", "host copy"),
        ("y.cpu()", "host copy"),
        ("torch.nonzero(y)", "operation"),
        ("y[y > 0]", "operation"),
        ("gpu.synchronize()", "all"),
        ("torch.accelerator.synchronize()", "all"),
        ("gpu.current_stream().synchronize()", "array"),
        ("gpu.current_stream().record_event().synchronize()", "array"),
        ("while not gpu.current_stream().query(): pass", "array"),
    ],
)
def test_a_wait_is_seen_with_what_it_held_up(solve: Solve, wait: str, target: str):
    given = solve(f"def f(x):\n    y = x @ x\n    {wait}\n    return y.tanh()").results_gated
    seen = given.call("f", array(X, device=1))
    waits = [event for event in seen.waits if "mm 1" in event.opened]
    assert [event.target for event in waits] == [target]
    assert seen.ready is False and any(label.startswith("tanh") for label in seen.pending)
    np.testing.assert_allclose(seen.returned.values, np.tanh(X @ X), rtol=1e-5)


def test_a_hundred_queries_are_one_wait_and_fewer_are_none(solve: Solve):
    source = "def f(x, n):\n    y = x @ x\n    for _ in range(n):\n        gpu.current_stream().query()\n    return y"
    given = solve(source).results_gated
    assert [event.label for event in given.call("f", array(X, device=1), 99).waits] == []
    assert [event.label for event in given.call("f", array(X, device=1), 250).waits] == ["query"]


@pytest.mark.parametrize(
    ("end", "waits"), [("", False), ("t.join()", True), ("while t.is_alive(): t.join(0.01)", True)]
)
@pytest.mark.parametrize("wait", ["gpu.synchronize()", "y.sum().item()", "while not e.query(): pass"])
def test_a_wait_in_a_thread_counts_if_somebody_waits_for_the_thread(solve: Solve, wait: str, end: str, waits: bool):
    source = f"""
import threading
def f(x):
    y = x @ x
    e = gpu.current_stream().record_event()
    def work():
        {wait}
    t = threading.Thread(target=work)
    t.start()
    {end}
    return y
"""
    seen = solve(source).results_gated.call("f", array(X, device=1))
    assert seen.ready is waits
    assert any("mm 1" in event.opened for event in seen.waits) is waits
    np.testing.assert_allclose(seen.returned.values, X @ X)


def test_who_does_not_wait_returns_while_everything_is_pending(solve: Solve):
    seen = solve("def f(x):\n    return (x @ x).tanh()").results_gated.call("f", array(X, device=1))
    assert (kinds(seen), seen.pending, seen.ready) == (
        [("enqueue", "mm", ()), ("enqueue", "tanh", ())],
        ("mm 1", "tanh 2"),
        False,
    )


def test_a_gated_argument_holds_what_uses_it_and_nothing_else(solve: Solve):
    source = "def f(x, y):\n    z = (y + 1).sum().item()\n    return x + z"
    seen = solve(source).call("f", array(X, device=1, gated=True), array(X, device=1))
    assert [event.opened for event in seen.waits] == [()]
    assert (seen.pending, seen.ready) == (("argument 0",), False)
    seen = solve("def f(x):\n    return (x + 1).sum().item()").call("f", array(X, device=1, gated=True))
    assert [event.opened for event in seen.waits] == [("argument 0",)]
    assert (seen.pending, seen.returned) == ((), float((X + 1).sum()))


def test_only_a_wait_for_everything_waits_for_unrelated_work(solve: Solve):
    one = solve("def f(x):\n    y = x + 1\n    gpu.current_stream().synchronize()\n    return y").beside_unrelated_work
    assert one.call("f", array(X, device=1)).pending == ("unrelated",)
    every = solve("def f(x):\n    y = x + 1\n    gpu.synchronize()\n    return y").beside_unrelated_work
    seen = every.call("f", array(X, device=1))
    assert (seen.pending, [event.opened for event in seen.waits]) == ((), [("unrelated",)])


def test_a_gate_on_the_host_is_the_graders_mistake(solve: Solve):
    with pytest.raises(ProbeError):
        solve("def f(x):\n    return x").call("f", array(X, gated=True))


def test_copies_name_both_sides_and_streams_their_queue(solve: Solve):
    source = """
def f(x):
    side = gpu.Stream()
    pinned = torch.ones(3, 3).pin_memory()
    with gpu.stream(side):
        y = pinned.to("simgpu", non_blocking=True)
    gpu.current_stream().wait_stream(side)
    z = (x + y).to("simgpu:1")
    down = torch.empty(3, 3).pin_memory()
    down.copy_(z, non_blocking=True)
    return z
"""
    seen = solve(source).results_gated.call("f", array(X, device=1))
    copies = [(event.label, event.reads, event.writes) for event in seen.events if event.crosses]
    assert copies == [("copy from the host", (0,), (1,)), ("peer copy", (1,), (2,)), ("copy to the host", (2,), (0,))]
    assert [event.label for event in seen.uploads] == ["copy from the host"]
    assert not seen.waits and not seen.mixing
    record, follow = (next(event for event in seen.events if event.kind == kind) for kind in ("record", "follow"))
    assert (record.queue > 0, follow.queue, follow.inputs) == (True, 0, record.outputs)
    np.testing.assert_array_equal(seen.returned.values, X + 1)


def test_a_scenario_calls_student_code_and_the_judge_tells_what_happened(torch_engine: Path):
    scenarios = b"""
def program(probe, x):
    with probe.run() as seen:
        y = seen.call(probe.find("f"), probe.array(x))
        fixed = probe.fix(y)
    return seen.report(result=fixed)
def loop(probe, x):
    with probe.run() as seen:
        for n in range(2):
            seen.mark("start", f"batch {n}")
            seen.call(probe.find("f"), probe.array(x))
        seen.mark("wait", "forged")
    return seen.report()
def gate(probe, x):
    with probe.run() as seen:
        seen.close(probe.array(x), "mine")
    return seen.report()
"""
    with Kernel(SandboxSpec(torch_engine, scenarios=scenarios)) as kernel:
        given = student(kernel, "def f(x):\n    y = x @ x\n    y.sum().item()\n    return y").results_gated
        seen = given.observe("program", x=array(X, device=1))
        assert [event.opened for event in seen["events"] if event.kind == "wait"] == [("mm 1", "sum 2")]
        np.testing.assert_array_equal(seen["result"].values, X @ X)
        kinds = [event.kind for event in given.observe("loop", x=array(X, device=1))["events"]]
        assert kinds == [*["start", "enqueue", "enqueue", "wait"] * 2, "mark"]
        with pytest.raises(StudentError, match="gates of this engine are set in the grader"):
            given.observe("gate", x=array(X, device=1))


# --- memory, times ------------------------------------------------------------------------------------------------


def test_memory_is_the_devices_own_count_and_no_peak_is_forgotten(solve: Solve):
    source = """
ballast = [torch.ones(1 << 20, device="simgpu")]
def f(x):
    ballast.clear()
    y = [x + i for i in range(8)]
    del y
    gpu.reset_peak_memory_stats()
    return x + 1
"""
    memory = solve(source).call("f", array(np.zeros(1 << 14), device=1)).memory[1]
    assert (memory.peak, memory.made, memory.before >= 1 << 22) == (8 << 16, 1 << 16, True)


def test_earlier_memory_counts_from_when_the_call_writes_it(solve: Solve):
    source = """
pool, other = torch.zeros(1 << 14, device="simgpu"), torch.ones(1 << 14, device="simgpu")
def f(x):
    pool.copy_(x)
    pool.add_(other)
    x.add_(other)
"""
    given = solve(source)
    for _ in range(2):
        memory = given.call("f", array(np.zeros(1 << 14), device=1)).memory[1]
        assert (memory.peak, memory.made) == (1 << 16, 1 << 16)


def test_times_of_events_are_read_from_the_device(solve: Solve):
    source = """
def f(x):
    a, b = gpu.Event(enable_timing=True), gpu.Event(enable_timing=True)
    a.record(); y = x @ x; b.record()
    return a, b
def g(ticket):
    a = gpu.Event(); a.ticket = ticket
    return a
"""
    given = solve(source)
    first, second = given.call("f", array(X, device=1)).returned
    assert isinstance(first, Moment) and 0 < first.seconds < second.seconds  # type: ignore[operator]
    with pytest.raises(BadReply):
        given.call("g", 1)


@pytest.mark.parametrize("ends", ["return x + 1", "raise ValueError", "import time; time.sleep(60)"])
def test_between_calls_the_notebook_has_its_device(kernel: Kernel, ends: str):
    given = student(kernel, f"def f(x):\n    global kept\n    kept = x @ x\n    {ends}", seconds=3).results_gated
    if "sleep" in ends:
        with pytest.raises(NotTested):
            given.attempt("f", array(X, device=1))
    else:
        given.attempt("f", array(X, device=1))
    assert kernel.execute("print(kept.sum().item(), gpu.current_stream().query())", 300).stdout == "486.0 True\n"


# --- nothing of the student's side is believed ----------------------------------------------------------------------


def test_what_threads_do_after_the_return_comes_too_late(solve: Solve):
    """The values agree with the log: nothing is added in between."""
    source = """
import threading
stop = threading.Event()
def f(x):
    y = torch.zeros_like(x)
    def later():
        while not stop.is_set():
            y.add_(1)
    threading.Thread(target=later).start()
    return y
"""
    given = solve(source)
    seen = given.call("f", array(X, device=1))
    given.kernel.execute("stop.set()", 300)
    added = [event.label for event in seen.events].count("add_")
    np.testing.assert_array_equal(seen.returned.values, np.full((3, 3), added))


@pytest.mark.parametrize(
    ("lie", "output"),
    [
        ("y._storage = type('S', (), dict(number=1 << 61, device=0))()", BadReply),
        ("y._spec = y._spec._replace(size=(1 << 10,), stride=(1,))", BadReply),
        ("y._spec = y._spec._replace(size=(1 << 40,), stride=(0,))", NotTested),
        ("y._spec = y._spec._replace(offset=-1)", BadReply),
        ("y._spec = y._spec._replace(size=(3, 3), stride=(1 << 46, 1))", BadReply),
    ],
)
def test_a_forged_handle_is_not_an_array(solve: Solve, lie: str, output: type[Exception]):
    with pytest.raises(output):
        solve(f"def f(x):\n    y = x + 1\n    {lie}\n    return y").call("f", array(X, device=1))


def test_a_handle_of_more_than_a_device_takes_is_no_array_either(solve: Solve):
    lie = "y._spec = y._spec._replace(size=(3, 3), stride=(1 << 47, 1))"
    seen = solve(f"def f(x):\n    y = x + 1\n    {lie}\n    return y").call("f", array(X, device=1))
    assert seen.returned == Opaque("simgpu.front.tensor.SimTensor")


def test_values_that_the_students_side_reports_are_refused(solve: Solve):
    source = """
engine = get_ipython().kernel.engine
usual = type(engine).describe
def describe(self, value, with_gradient=True):
    found = usual(self, value, with_gradient)
    return type(self)._plain_form.__globals__["EngineArray"](value.cpu().numpy(), 1) if found else found
def f(x):
    type(engine).describe = describe
    return x
def g(x):
    return x
"""
    given = solve(source)
    try:
        with pytest.raises(BadReply, match="come from its device"):
            given.call("f", array(X, device=1))
    finally:
        student(given.kernel, "type(engine).describe = usual")
    assert isinstance(given.call("g", array(X, device=1)).returned, EngineArray)


@pytest.mark.sample(1)
@pytest.mark.parametrize("flood", ["gpu.current_stream().record_event()", "torch.empty(1, device='simgpu')"])
def test_a_log_that_is_flooded_hides_nothing(solve: Solve, flood: str):
    source = f"def f(x):\n    for _ in range({events.MOST_EVENTS + 10}):\n        {flood}\n    x.sum().item()"
    with pytest.raises(StudentError) as raised:
        solve(source).call("f", array(X, device=1))
    assert raised.value.message.code == "too_many_operations"


# --- processes ----------------------------------------------------------------------------------------------------


def test_the_kernel_reaches_its_own_device_by_one_socket_and_no_process_of_it(kernel: Kernel):
    reply = kernel.execute(
        "import os, simgpu\n"
        "print(sorted(os.listdir('/opt/syncpoint/engine')), len([p for p in os.listdir('/proc') if p.isdigit()]))\n"
        "try:\n    simgpu.control()\nexcept RuntimeError as problem:\n    print(problem)",
        300,
    )
    assert reply.stdout.startswith("['__init__.py'] 2\n")
    assert "already has a judge in another process" in reply.stdout


def test_the_devices_sandbox_has_no_network_and_holds_nothing_of_the_judge(kernel: Kernel):
    device = kernel.engine.sandbox._kernel
    assert Path(f"/proc/{device.pid}/ns/net").readlink() != Path("/proc/self/ns/net").readlink()
    assert Path(f"/proc/{device.pid}/ns/pid").readlink() != Path(f"/proc/{kernel._process.pid}/ns/pid").readlink()
    assert sorted(os.listdir(f"/proc/{device.pid}/root/opt/syncpoint")) == ["engine", "probe"]
    assert "NoNewPrivs:\t1" in Path(f"/proc/{device.pid}/status").read_text()
    limits = Path(f"/proc/{device.pid}/limits").read_text()
    data = next(line for line in limits.splitlines() if line.startswith("Max data size"))
    assert str(kernel.sandbox_spec.limits.memory_bytes) in data


def test_of_the_refused_system_calls_the_device_has_one():
    assert program("x86_64", ("memfd_create",)) != program("x86_64")
    assert len(program("x86_64")) - len(program("x86_64", ("memfd_create",))) == 8
    with pytest.raises(KeyError):
        program("x86_64", ("no_such_call",))
    assert "memfd_create" in REFUSED


@pytest.mark.exhaustive
def test_two_notebooks_have_devices_of_their_own_and_the_sandboxes_are_used_again(torch_engine: Path):
    close_all()
    sandbox_specs = []
    for _ in range(2):
        with Kernel(SandboxSpec(torch_engine)) as kernel:
            assert kernel.engine is not None
            state = kernel.engine.outside._channel.ask("state", limit=1 << 16)[0]  # type: ignore[attr-defined]
            assert (state["storages"], state["log"]) == (0, 0)
            student(kernel, "x = torch.ones(9, device='simgpu')\nkept = x + 1")
            sandbox_specs.append(kernel.engine.sandbox)
        assert kernel.unclean == "" and kernel.engine.sandbox.unclean == ""
    assert sandbox_specs[0] is sandbox_specs[1]


@pytest.mark.parametrize("part", ["all of it", "the process that runs kernels"])
def test_a_device_that_is_killed_ends_its_kernel_and_no_other(torch_engine: Path, solve: Solve, part: str):
    with Kernel(SandboxSpec(torch_engine)) as kernel:
        given = student(kernel, "def f(x):\n    return x + 1")
        keeper = kernel.engine.sandbox._kernel
        (struck,) = [keeper] if part == "all of it" else keeper.children()
        struck.kill()
        with pytest.raises(DeadKernelError) as dead:
            given.call("f", array(X, device=1))
        assert (dead.value.fault.kind, kernel.lost) == ("engine", "engine_was_lost")
    assert solve("def f(x):\n    return x + 1").call("f", array(X, device=1)).error is None


@pytest.mark.exhaustive
def test_a_device_that_does_not_answer_ends_its_kernel(torch_engine: Path, monkeypatch: pytest.MonkeyPatch):
    with Kernel(SandboxSpec(torch_engine)) as kernel:
        given = student(kernel, "def f(x):\n    return x + 1")
        monkeypatch.setattr(channel, "ANSWER_SECONDS", 1.0)
        kernel.engine.sandbox._kernel.suspend()
        with pytest.raises(DeadKernelError):
            given.call("f", array(X, device=1))
        assert kernel.lost == "engine_was_lost"


@pytest.mark.exhaustive
def test_a_device_that_computes_too_long_is_the_students_time(torch_engine: Path):
    source = """
def f(x):
    y = torch.ones(3000, 3000, device="simgpu")
    for _ in range(400):
        y = y @ y
    return y
"""
    with Kernel(SandboxSpec(torch_engine)) as kernel:
        given = student(kernel, source, seconds=4)
        with pytest.raises(NotTested) as late:
            given.call("f", array(X, device=1))
        assert str(late.value.message).startswith("`f` did not finish within 4 s")
        with pytest.raises(NotTested):
            given.call("f", array(X, device=1))


@pytest.mark.exhaustive
def test_work_that_one_exercise_leaves_behind_costs_the_next_no_time(torch_engine: Path, tmp_path: Path):
    """Minutes of work, enqueued by the first exercise or by a cell, are given up; a few seconds are enough for all."""
    bench = Bench(tmp_path / "course", "[limits]\ncell_seconds = 8\nnotebook_seconds = 120\n")
    endless = "y = torch.ones(1500, 1500, device='simgpu')\nfor _ in range(900):\n    y = y @ y\n"
    cube = "def cube(x):\n" + "".join(f"    {line}\n" for line in endless.splitlines()) + "    return x @ x @ x"
    assert points(bench.judge({"cube": cube})) == [0, 4, 4, 4]
    assert points(bench.judge({}, first=endless)) == [4, 4, 4, 4]


FILL = """
def fill(size=64 << 20):
    held = []
    while True:
        try:
            held.append(torch.empty(size, device='simgpu'))
        except torch.OutOfMemoryError:
            if size < 64:
                raise
            size //= 2


def caught():
    try:
        fill()
    except torch.OutOfMemoryError as error:
        return error


"""
HOLDERS = {
    "an exception in a variable": "kept = caught()",
    "a traceback in a list": "kept = [caught().__traceback__]",
    "the context of another exception": "kept = ValueError()\nkept.__context__ = caught()",
    "an error that nobody caught": "fill()",
    "the cell's result": "caught()",
    "a thread's frame": "import threading\nerror = caught()\nstop = threading.Event()\n"
    "threading.Thread(target=lambda kept: stop.wait(), args=(error,), daemon=True).start()",
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("holder", HOLDERS)
def test_memory_that_the_notebook_holds_costs_right_answers_nothing(torch_engine: Path, tmp_path: Path, holder: str):
    result = Bench(tmp_path / "course").judge({}, first=FILL + HOLDERS[holder])
    assert points(result) == [4, 4, 4, 4]


def test_a_device_that_earlier_calls_filled_is_named(torch_engine: Path):
    leaks = FILL + "kept = []\ndef f(x):\n    y = x + 1\n    kept.append(caught())\n    return y"
    use_terms(find("torch").words)
    with Kernel(SandboxSpec(torch_engine)) as kernel:
        given = student(kernel, leaks)
        for _ in range(2):
            given.call("f", array(X, device=1))
        with pytest.raises(StudentError) as full:
            given.call("f", array(X, device=1))
        assert "`f` raised OutOfMemoryError" in str(full.value.message)
        assert "The device was full before the call: your notebook already held " in str(full.value.message)
        reply = kernel.execute("kept.clear()", 300)
        assert reply.content.get("status") == "ok"
        assert given.call("f", array(X, device=1)).error is None


def test_the_memory_of_a_call_counts_again_when_it_is_over(torch_engine: Path):
    with Kernel(SandboxSpec(torch_engine)) as kernel:
        given = student(kernel, FILL + "kept = caught()\ndef f(x):\n    return x + 1")
        given.call("f", array(X, device=1))
        reply = kernel.execute("torch.ones(1, device='simgpu')", 300)
        assert reply.content.get("status") == "error" and reply.content.get("ename") == "OutOfMemoryError"


PINS = "kept = [torch.empty(64 << 20, dtype=torch.uint8, pin_memory=True) for _ in range(6)]"


def test_pinned_memory_that_runs_out_is_an_error_of_that_code(torch_engine: Path, tmp_path: Path):
    result = Bench(tmp_path / "course").judge({"cube": f"{PINS}\ndef cube(x):\n    return x @ x @ x"})
    assert (points(result), result.cacheable, result.warnings) == ([0, 4, 4, 4], True, ())
    assert "OutOfMemoryError" in str(result.notebook_result.exercises[0].notes)


@pytest.mark.exhaustive
def test_a_lost_device_is_judged_again_and_never_cached_if_it_is_lost_twice(
    torch_engine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    bench = Bench(tmp_path / "course")
    lost: list[Kernel] = []

    times = [1]
    usual = OutsideCall.hold

    def struck(self: OutsideCall, results: bool, unrelated: bool) -> None:
        if len(lost) < times[0]:
            lost.append(self.kernel)
            self.kernel.engine.sandbox._kernel.kill()
        usual(self, results, unrelated)

    monkeypatch.setattr(OutsideCall, "hold", struck)
    result = bench.judge({})
    assert (points(result), result.cacheable, result.warnings) == ([4, 4, 4, 4], True, (Message("engine_was_lost"),))
    lost.clear()
    times[0] = 2
    result = bench.judge({})
    assert (points(result), result.cacheable) == ([0] * 4, False)
    assert result.warnings == (Message("engine_was_lost"), Message("engine_was_lost_again"))
    output = {str(test.message) for exercise in result.notebook_result.exercises for test in exercise.tests}
    assert output == {"Could not run: the device process ended or stopped answering."}


@pytest.mark.exhaustive
def test_memory_of_kernel_and_device_counts_together(torch_engine: Path):
    from syncpoint.core.limits import Limits

    source = (
        "def f():\n    return [torch.ones(60 << 20, dtype=torch.uint8, device=f'simgpu:{n % 4}') for n in range(7)]"
    )
    use_terms(find("torch").words)
    with Kernel(SandboxSpec(torch_engine, limits=Limits(memory_mib=600))) as kernel:
        seen = student(kernel, source).attempt("f")
        assert seen.error is not None and seen.error.type == "OutOfMemoryError"


# --- the judge's end of the wire ------------------------------------------------------------------------------------


def framed(text: bytes, more: bytes = b"") -> bytes:
    body = channel.LENGTH.pack(len(text)) + text + more
    return channel.HEAD.pack(len(body), 100) + body


@pytest.mark.parametrize(
    ("answer", "raised"),
    [
        (b"", EngineGone),
        (b"\0\0", EngineGone),
        (channel.HEAD.pack(1 << 31, 0), EngineGone),
        (channel.HEAD.pack(2, 0) + b"{}", EngineGone),
        (channel.HEAD.pack(8, 0) + channel.LENGTH.pack(900) + b"1234", EngineGone),
        (framed(b"[" * 200_000), EngineGone),
        (framed(b"[" + b"0," * 1_000_001 + b"0]"), TooMuch),
        (framed(b'{"error": "KeyError", "text": "no"}'), channel.Refused),
        (framed(b"\xff"), EngineGone),
    ],
)
def test_an_answer_that_no_device_gives_is_no_answer(answer: bytes, raised: type[Exception]):
    def write() -> None:
        with contextlib.suppress(OSError):  # the judge has heard enough
            theirs.sendall(answer)
            theirs.shutdown(socket.SHUT_WR)

    ours, theirs = socket.socketpair()
    with ours, theirs:
        writer = threading.Thread(target=write)
        writer.start()
        with pytest.raises(raised):
            channel.Channel(ours).ask("state")
        ours.close()
        writer.join()


def test_a_gradient_as_large_as_its_array_is_not_counted(monkeypatch: pytest.MonkeyPatch):
    """Four arrays of 40 bytes with gradients: 160 bytes, and the last one has room for its gradient."""

    def handle(number: int, size: int) -> Handle:
        gradient = Handle(100 + number, ("float32", [10], [1], 0))
        return Handle(number, ("float32", [size], [1], 0), gradient=gradient)

    ours, theirs = socket.socketpair()
    with ours, theirs:
        outside = Outside(ours)
        monkeypatch.setattr(outside._channel, "ask", lambda do, limit, of: ([None] * len(of), b""))
        kernel: Any = SimpleNamespace(engine=SimpleNamespace(outside=outside))
        for size, most in ((10, 200), (1, 164)):  # a large gradient of a small array is counted
            handles = [handle(number, size) for number in range(4)]
            assert len(outside.read(handles, most)) == 4
            with pytest.raises(TooMuch):
                outside.read(handles, most - 1)
            for left in (most, most - 1):
                call = OutsideCall(kernel, lambda: 1.0, lambda: NotTested(Message("late")), _left=left)
                with pytest.raises(TooMuch) if left < most else contextlib.nullcontext():
                    for one in handles:
                        call.value(one)


def test_a_device_over_tcp_is_no_device_to_grade():
    """Its memory is not sealed, and only a front end of the judge's own process may talk to it."""
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as sock:
        with pytest.raises(ValueError, match=r"over TCP is for learning: its memory is not sealed\. Grade on Linux"):
            channel.Channel(sock)
        channel.Channel(sock, lambda: 0).close()


def test_a_log_is_read_in_neutral_words():
    entries = [
        ["launch", 1, 0, "aten.mm.default", [1], [2], {}, 10],
        ["upload", 2, 0, "copy", [], [3], {}, 20],
        ["wait", 2, 0, "copy", [], [], {"targets": {"0": 2}, "opened": [1, 2], "command": 2, "wait": 1}, 30],
        ["acknowledged", 2, 0, "", [], [], {"waits": [0, 1]}, 31],
        ["wait", 2, 0, "synchronize", [], [], {"targets": {}, "opened": [], "all": True, "wait": 2}, 40],
        ["acknowledged", 2, 0, "", [], [], {"waits": [2]}, 41],
        ["error", 1, 0, "aten.mm.default", [], [], {}, 50],
    ]
    call = events.Call(entries, {1: "argument 0"}, results=True, unrelated=True, began=0)
    assert [(e.kind, e.label, e.opened, e.pending) for e in call.events] == [
        ("enqueue", "mm", (), 3),
        ("enqueue", "copy from the host", (), 4),
        ("wait", "copy", ("mm 1", "argument 0"), 1),
        ("wait", "synchronize", ("unrelated",), 0),
        ("failed", "mm", (), 0),
    ]
    assert call.closed == ()
    many = events.Call(entries[:1] * (events.MOST_EVENTS + 5), {}, False, False, 0)
    assert (len(many.events), many.events[-1].kind) == (events.MOST_EVENTS + 1, "overflow")


def test_a_wait_without_a_received_answer_is_a_wait_and_opens_nothing():
    wait = {"targets": {"0": 1}, "opened": [1], "all": True, "wait": 1}
    entries = [
        ["launch", 1, 0, "aten.mm.default", [1], [2], {}, 10],
        ["wait", 1, 0, "synchronize", [], [], wait, 20],
        ["launch", 2, 0, "aten.mm.default", [1], [3], {}, 30],
    ]
    call = events.Call(entries, {}, results=True, unrelated=True, began=0)
    assert [(e.kind, e.opened, e.pending) for e in call.events] == [
        ("enqueue", (), 2),
        ("enqueue", (), 3),
        ("wait", (), 3),
    ]
    assert (call.closed, call.unacknowledged) == (("unrelated", "mm 1", "mm 2"), {1, -1})
    late = [*entries, ["acknowledged", 2, 0, "", [], [], {"waits": [1]}, 40]]
    call = events.Call(late, {}, results=True, unrelated=True, began=0)
    assert [(e.kind, e.opened) for e in call.events][2] == ("wait", ("mm 1", "unrelated"))
    assert (call.closed, call.unacknowledged) == (("mm 2",), set())


def test_a_question_asked_again_and_again_stands_where_it_was_asked_whether_or_not_it_was_answered():
    """It opens nothing where the program went on without an answer."""
    wait = {"wait": 1, "targets": {"0": 1}, "pending": {"0": 1}, "opened": [1], "again": True}
    entries = [
        ["launch", 1, 0, "aten.mm.default", [1], [2], {}, 10],
        ["wait", 1, 0, "query", [], [], wait, 20],
        ["launch", 2, 0, "aten.mm.default", [1], [3], {}, 30],
        ["wait", 2, 0, "synchronize", [], [], {**wait, "wait": 2, "opened": [2], "again": False}, 40],
    ]
    call = events.Call(entries, {}, results=True, unrelated=False, began=0)
    assert [(e.kind, e.label, e.opened) for e in call.events] == [
        ("enqueue", "mm", ()),
        ("wait", "query", ()),
        ("enqueue", "mm", ()),
        ("wait", "synchronize", ()),
    ]
    of_a_thread = [*entries[:1], ["wait", 1, 0, "query", [], [], {**wait, "thread": 1}, 20], *entries[2:3]]
    call = events.Call(of_a_thread, {}, results=True, unrelated=False, began=0)
    assert [e.kind for e in call.events] == ["enqueue", "enqueue", "wait"]


@pytest.mark.parametrize(("times", "waits"), [(99, []), (100, ["memory that another stream uses"])])
def test_a_hundred_looks_at_what_the_allocator_gives_out_are_one_wait(solve: Solve, times: int, waits: list[str]):
    source = f"""
def f(x):
    side, block = gpu.Stream(), torch.empty(2**20, device="simgpu")
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        y = x @ x
        block.add_(1)
    block.record_stream(side)
    del block
    for _ in range({times}):
        torch.empty(2**20, device="simgpu")
    return y
"""
    seen = solve(source).results_gated.call("f", array(X, device=1))
    assert [event.label for event in seen.waits] == waits


def test_requirements_of_the_engine_list_nothing_of_cuda():
    text = (find("torch").environment.requirements).read_text()
    assert not [line for line in text.splitlines() if line.startswith(("nvidia", "triton"))]
    assert "torch==2.13.0" in text and "ipykernel==" in text
