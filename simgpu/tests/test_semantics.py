"""CUDA's semantics. Each test that is marked is a row of docs/semantics.md, which is generated from these marks.

``cuda(behaviour, source, ours)``: what CUDA does, where PyTorch says so, and how this device does it.
"""

import contextlib
import threading
import warnings

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from device import DEVICE, gpu, judge, logged, ready, value, wait_everywhere, waits
from torch import nn

import simgpu
from simgpu import races

NOTES = "docs.pytorch.org/docs/stable/notes/cuda.html"
MODULE = "docs.pytorch.org/docs/stable/cuda.html"


# ---- launching


@pytest.mark.cuda("operations return before they run", f"{NOTES}#asynchronous-execution", "the same")
def test_operations_return_while_the_device_is_held():
    x = ready(64, 64)
    judge.hold()
    y = (x @ x.t()).relu()[1:, ::2].sum(0)
    z = torch.randn(64, device=DEVICE) + x[0]
    x[3] = 1.0
    assert y.shape == (32,)
    assert z.dtype == torch.float32
    assert judge.state().pending_commands >= 6  # PyTorch makes one or two of x[3] = 1.0
    assert not gpu.current_stream().query()
    assert value(y) is None
    judge.release()
    gpu.synchronize()
    assert gpu.current_stream().query()
    assert judge.state().pending_commands == 0
    assert value(y) is not None


X = torch.arange(16.0).reshape(4, 4)
ASYNCHRONOUS = {
    "index with a tensor of the device": lambda x, m: x[m.long().argmax(0)],
    "masked_fill": lambda x, m: x.masked_fill(m, 0),
    "where": lambda x, m: torch.where(m, x, 0.0),
    "shape and layout": lambda x, m: (x.shape, x.stride(), len(x), x.t(), x.view(-1), x.is_contiguous()),
    "factories": lambda x, m: torch.zeros(3, device=DEVICE) + torch.arange(3, device=DEVICE),
    "a scalar from the host": lambda x, m: x * torch.tensor(2.0),
    "dtype": lambda x, m: x.to(torch.float64),
    "to the host, non_blocking": lambda x, m: x.to("cpu", non_blocking=True),
    "from pinned memory, non_blocking": lambda x, m: torch.ones(3).pin_memory().to(DEVICE, non_blocking=True),
    "random numbers": lambda x, m: torch.randn_like(x) + F.dropout(x),
    "normal, one standard deviation": lambda x, m: torch.normal(x, 2.0),
    "normal, no values": lambda x, m: torch.normal(x[:0], x[:0]),
    "histc with bounds": lambda x, m: torch.histc(x, 4, 0, 16),
    "a factorization without a check": lambda x, m: (torch.linalg.qr(x), torch.linalg.inv_ex(x), torch.linalg.det(x)),
    "eigh of nothing": lambda x, m: torch.linalg.eigh(x[:0, :0]),
}
SVD, EIGH, EIG, PINV = (f"aten.{name}" for name in (
    "_linalg_svd.default", "_linalg_eigh.default", "linalg_eig.default", "linalg_pinv.atol_rtol_tensor"
))  # fmt: skip
WAITING = {
    "item": ("item", lambda x, m: x[0, 0].item()),
    "float": ("item", lambda x, m: float(x[1, 1])),
    "bool": ("item", lambda x, m: bool(m.any())),
    "format": ("item", lambda x, m: f"{x.sum():.1f}"),
    "print": ("to(cpu)", lambda x, m: str(x)),
    "tolist": ("to(cpu)", lambda x, m: x.tolist()),
    "cpu": ("to(cpu)", lambda x, m: x.cpu()),
    "numpy, forced": ("to(cpu)", lambda x, m: x.numpy(force=True)),
    "nonzero": ("aten.nonzero.default", lambda x, m: m.nonzero()),
    "index with a mask": ("aten.index.Tensor", lambda x, m: x[m]),
    "masked_select": ("aten.masked_select.default", lambda x, m: x.masked_select(m)),
    "unique": ("aten._unique2.default", lambda x, m: torch.unique(x)),
    "equal": ("aten.equal.default", lambda x, m: torch.equal(x, x)),
    "synchronize": ("synchronize", lambda x, m: gpu.synchronize()),
    "from pageable memory": ("copy from pageable host memory", lambda x, m: torch.ones(3).to(DEVICE)),
    "from a list": ("copy from pageable host memory", lambda x, m: torch.tensor([1, 2], device=DEVICE)),
    "from pageable memory, non_blocking": (
        "copy from pageable host memory",
        lambda x, m: torch.ones(3).to(DEVICE, non_blocking=True),
    ),
    "inv": ("aten._linalg_check_errors.default", lambda x, m: torch.linalg.inv(x + 9 * torch.eye(4, device=DEVICE))),
    "eigh": (EIGH, lambda x, m: torch.linalg.eigh(x)),
    "eigvalsh": (EIGH, lambda x, m: torch.linalg.eigvalsh(x)),
    "eig": (EIG, lambda x, m: torch.linalg.eig(x)),
    "eigvals": (EIG, lambda x, m: torch.linalg.eigvals(x)),
    "pinv, hermitian": (PINV, lambda x, m: torch.linalg.pinv(x, hermitian=True)),
    "normal": ("aten.normal.Tensor_Tensor", lambda x, m: torch.normal(x, x)),
    "normal, one mean": ("aten.normal.float_Tensor", lambda x, m: torch.normal(0.0, x)),
    "normal, written to": ("aten.normal.Tensor_Tensor_out", lambda x, m: torch.normal(x, x, out=x)),
    "Normal.sample": (
        "aten.normal.Tensor_Tensor",
        lambda x, m: torch.distributions.Normal(x, x + 1, validate_args=False).sample(),
    ),
    "bincount of uint8": ("aten.bincount.default", lambda x, m: torch.bincount(x.flatten().byte())),
}
WAITING_TWICE = {
    "svd": (SVD, lambda x, m: torch.linalg.svd(x)),
    "svdvals": (SVD, lambda x, m: torch.linalg.svdvals(x)),
    "pinv": (PINV, lambda x, m: torch.linalg.pinv(x)),
    "matrix_rank": (SVD, lambda x, m: torch.linalg.matrix_rank(x)),
    "cond": (SVD, lambda x, m: torch.linalg.cond(x)),
    "norm(x, 2)": (SVD, lambda x, m: torch.linalg.norm(x, 2)),
    "histc": ("aten.histc.default", lambda x, m: torch.histc(x)),
    "histc, written to": ("aten.histc.out", lambda x, m: torch.histc(x, 4, out=torch.empty(4, device=DEVICE))),
    "bincount": ("aten.bincount.default", lambda x, m: torch.bincount(x.flatten().long())),
}


@pytest.mark.cuda(
    "element-wise operations, factories, views, and copies to and from pinned memory do not wait",
    f"{NOTES}#asynchronous-execution",
    "the same",
)
@pytest.mark.parametrize("name", ASYNCHRONOUS)
def test_does_not_wait(name: str):
    x = X.to(DEVICE)
    mask = x > 3
    assert waits(lambda: ASYNCHRONOUS[name](x, mask)) == []


READS_A_VALUE = pytest.mark.cuda(
    "an operation waits if it needs a value, if the shape of its result depends on values, or if it copies pageable "
    "memory; with `non_blocking`, such a copy may wait",
    f"{MODULE} set_sync_debug_mode",
    "the same: a wait for each value that CUDA reads. A copy of pageable memory always waits, even with `non_blocking`",
)


@READS_A_VALUE
@pytest.mark.parametrize("name", WAITING)
def test_waits_once(name: str):
    label, function = WAITING[name]
    x = X.to(DEVICE)
    mask = x > 3
    assert waits(lambda: function(x, mask)) == [label]


@READS_A_VALUE
@pytest.mark.parametrize("name", WAITING_TWICE)
def test_waits_twice(name: str):
    label, function = WAITING_TWICE[name]
    x = X.to(DEVICE)
    mask = x > 3
    assert waits(lambda: function(x, mask)) == [label, label]


@pytest.mark.cuda(
    "`set_sync_debug_mode` warns of hidden waits or refuses them", f"{MODULE} set_sync_debug_mode", "the same"
)
def test_sync_debug_mode_tells_hidden_waits_and_leaves_explicit_ones_alone():
    x = ready(3)
    gpu.set_sync_debug_mode("error")
    assert gpu.get_sync_debug_mode() == 2
    for wait in (lambda: x[0].item(), lambda: x.nonzero(), lambda: x.cpu(), lambda: torch.ones(2).to(DEVICE)):
        with pytest.raises(RuntimeError, match="called a synchronizing"):
            wait()
    gpu.synchronize()
    gpu.current_stream().synchronize()
    _ = x + 1
    gpu.set_sync_debug_mode("warn")
    with pytest.warns(UserWarning, match="called a synchronizing"):
        x[0].item()
    gpu.set_sync_debug_mode("default")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        x[0].item()


@pytest.mark.cuda(
    "`set_sync_debug_mode` warns of hidden waits or refuses them", f"{MODULE} set_sync_debug_mode", "the same"
)
def test_the_debug_mode_warns_of_each_line_of_the_program():
    """Python shows a warning of a line once: were it one of the package's, all others would be silent."""
    x, waits = ready(3), ["x.sum().item()", "str(x)", "x.nonzero()", "torch.ones(3).to('simgpu')", "torch.unique(x)"]
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("default")
        gpu.set_sync_debug_mode("warn")
        exec(compile("\n".join([*waits, "for _ in range(3): x.cpu()"]), "cell", "exec"), {"x": x, "torch": torch})
        gpu.set_sync_debug_mode("default")
    assert [(w.filename, w.lineno) for w in told] == [("cell", line + 1) for line in range(len(waits) + 1)]


@pytest.mark.cuda(
    "a kernel's error is reported late",
    f"{NOTES}#asynchronous-execution",
    "reported once, at the next wait, with the operation's name",
)
def test_errors_of_kernels_come_late_and_name_the_operation():
    x, index = ready(4, 4), torch.tensor([9]).to(DEVICE)
    y = F.embedding(index, x) + 1
    with pytest.raises(RuntimeError, match=r"aten\.embedding\.default"):
        y.tolist()
    assert x.sum().isfinite()


@pytest.mark.cuda(
    "after a device-side assert, the process cannot use the device",
    "c10/cuda/CUDAException.cpp",
    "the error is reported once, and the process can continue to use the device",
)
def test_the_device_goes_on_after_an_error():
    x = ready(4, 4)
    F.embedding(torch.tensor([9]).to(DEVICE), x)
    with pytest.raises(RuntimeError, match="embedding"):
        gpu.synchronize()
    assert (x * 0 + 1).sum().item() == 16


@pytest.mark.cuda("wrong shapes are reported at once", f"{NOTES}#asynchronous-execution", "the same")
def test_errors_of_shapes_come_at_once():
    x = ready(4, 4)
    judge.hold()
    with pytest.raises(RuntimeError):
        x @ x[:3]
    with pytest.raises(TypeError, match=r"Tensor\.cpu\(\)"):
        x.numpy()
    with pytest.raises(TypeError, match=r"Tensor\.cpu\(\)"):
        np.asarray(x)


@pytest.mark.cuda(
    "one operation cannot mix tensors of the host and the device, except for scalars",
    "c10/core/TensorIterator",
    "the same message",
)
def test_host_and_device_do_not_mix():
    x = ready(4, 4)
    with pytest.raises(RuntimeError, match="found at least two devices, simgpu:0 and cpu!"):
        x + torch.ones(4)
    assert (x * 0 + torch.tensor(2.0)).sum().item() == 32


@pytest.mark.cuda(
    "the launch queue has a depth of about 1,024; if it is full, the host waits",
    "CUDA driver",
    "exactly 1,024; the log calls this wait `full`",
)
def test_a_full_launch_queue_holds_the_host_until_there_is_room():
    x = ready(2)
    judge.hold()
    count, done = [0], threading.Event()

    def many() -> None:
        for _ in range(1500):
            x.add_(1)
            count[0] += 1
        done.set()

    thread = threading.Thread(target=many)
    start = judge.state().log
    thread.start()
    while not any(e.kind == "full" for e in judge.log(start)):
        pass
    assert not done.is_set()
    assert 512 <= count[0] <= 1024
    judge.release()
    thread.join()
    assert not [e for e in judge.log(start) if e.is_wait]


def test_a_full_launch_queue_opens_a_gate_that_opens_for_waits():
    x = ready(2, value=0.0)
    entries = logged(lambda: [x.add_(1) for _ in range(3000)])
    assert [e for e in entries if e.kind == "full"]
    assert x[0].item() == 3000


# ---- streams and events


@pytest.mark.cuda(
    "streams run independently, and events (`record`, `wait`, `synchronize`, `query`) order them",
    f"{NOTES}#cuda-streams",
    "the same",
)
def test_streams_are_independent_and_events_order_them():
    x = ready(8, value=1.0)
    side, done = gpu.Stream(), gpu.Event()
    judge.hold(stream=0)
    _held = x + 1
    with gpu.stream(side):
        y = x * 2
        done.record()
        assert gpu.current_stream() == side
    done.synchronize()
    assert done.query()
    assert side.query()
    assert not gpu.default_stream().query()
    judge.release()
    gpu.synchronize()
    judge.hold(stream=side.stream_id)
    with gpu.stream(side):
        z = y + 1
        done.record()
    assert not done.query()
    done.wait()
    w = z * 10
    assert judge.settle().pending_commands == 4
    judge.release()
    assert w.tolist() == [30.0] * 8


def _entered_by_itself(stream):
    return stream


ENTERED = pytest.mark.parametrize("enter", [lambda s: gpu.stream(s), _entered_by_itself], ids=["stream(s)", "s"])


@pytest.mark.cuda(
    "`with` blocks of the same stream may be nested; each block restores the previous stream at its end",
    "torch/cuda/__init__.py StreamContext",
    "the same, for each thread",
)
@ENTERED
def test_a_stream_that_is_entered_again_is_left(enter):
    side, other = gpu.Stream(), gpu.Stream()
    with enter(side):
        with enter(side):
            with enter(other):
                with enter(side):
                    assert gpu.current_stream() == side
                assert gpu.current_stream() == other
            assert gpu.current_stream() == side
        assert gpu.current_stream() == side
    assert gpu.current_stream() == gpu.default_stream()


@ENTERED
def test_one_context_may_be_entered_several_times(enter):
    context = enter(gpu.Stream())
    for _ in range(2):
        with context, context:
            pass
        assert gpu.current_stream() == gpu.default_stream()


@ENTERED
def test_a_stream_is_left_by_an_exception(enter):
    side = gpu.Stream()

    def helper(depth: int) -> None:
        with enter(side):
            if not depth:
                raise KeyError
            helper(depth - 1)

    with pytest.raises(KeyError):
        helper(3)
    assert gpu.current_stream() == gpu.default_stream()
    with enter(side):
        with pytest.raises(KeyError):
            helper(1)
        assert gpu.current_stream() == side
    assert gpu.current_stream() == gpu.default_stream()


def test_a_generator_puts_back_what_was_there_when_it_entered():
    """As PyTorch does: what is current between two of its steps is its stream."""
    side, other = gpu.Stream(), gpu.Stream()

    def steps():
        with gpu.stream(side):
            yield
            yield

    first, second = steps(), steps()
    next(first)
    assert gpu.current_stream() == side
    with gpu.stream(other):
        next(first)
        assert gpu.current_stream() == other
        next(second)
        second.close()
        assert gpu.current_stream() == other
    assert gpu.current_stream() == side
    first.close()
    assert gpu.current_stream() == gpu.default_stream()
    # not the last one first
    first, second = steps(), steps()
    next(first)
    next(second)
    first.close()
    assert gpu.current_stream() == gpu.default_stream()
    second.close()
    assert gpu.current_stream() == side
    gpu.set_stream(gpu.default_stream())


@ENTERED
def test_threads_that_share_a_stream_leave_it_each_for_itself(enter):
    side, mine = gpu.Stream(), gpu.Stream()
    context = enter(side)
    inside, left, seen = threading.Barrier(2, timeout=60), threading.Event(), []

    def work() -> None:
        gpu.set_stream(mine)
        with context, context:
            inside.wait()
            left.wait(60)
        seen.append(gpu.current_stream())

    thread = threading.Thread(target=work)
    thread.start()
    with context:
        inside.wait()
    assert gpu.current_stream() == gpu.default_stream()
    left.set()
    thread.join()
    assert seen == [mine]


@ENTERED
def test_a_stream_of_another_device_takes_the_device_along_and_back(enter):
    here, there = gpu.Stream(0), gpu.Stream(1)
    with enter(there):
        assert (gpu.current_device(), gpu.current_stream(), gpu.current_stream(0)) == (1, there, gpu.default_stream(0))
        with enter(here):
            assert (gpu.current_device(), gpu.current_stream()) == (0, here)
            gpu.set_device(2)
        assert (gpu.current_device(), gpu.current_stream(), gpu.current_stream(0)) == (1, there, gpu.default_stream(0))
        gpu.set_device(3)
    assert gpu.current_device() == 0
    assert [gpu.current_stream(d) for d in range(4)] == [gpu.default_stream(d) for d in range(4)]
    with gpu.device(1), gpu.device(2):
        with enter(there):
            pass
        assert gpu.current_device() == 2
    assert gpu.current_device() == 0


def test_what_set_stream_changes_inside_ends_with_the_block():
    side, other = gpu.Stream(), gpu.Stream()
    with gpu.stream(side):
        gpu.set_stream(other)
        gpu.set_stream(None)
        assert gpu.current_stream() == other
    assert gpu.current_stream() == gpu.default_stream()
    there = gpu.Stream(1)
    with gpu.stream(there):  # as in PyTorch, both streams are restored: this device's, and that of the previous device
        gpu.set_stream(other)
    assert (gpu.current_stream(0), gpu.current_stream(1)) == (gpu.default_stream(0), gpu.default_stream(1))


def test_one_device_context_may_be_entered_several_times():
    context = gpu.device(2)
    with context:
        gpu.set_device(1)
        with context:
            assert gpu.current_device() == 2
        assert gpu.current_device() == 1
    assert gpu.current_device() == 0


def test_none_changes_no_stream():
    with gpu.stream(None), gpu.stream(gpu.Stream()) as nothing:
        assert nothing is None
    with gpu.Stream() as itself:
        assert gpu.current_stream() == itself
    assert gpu.current_stream() == gpu.default_stream()


def test_a_context_that_nobody_has_entered_is_not_left():
    for context in (gpu.stream(gpu.Stream()), gpu.Stream(), gpu.device(1)):
        with pytest.raises(RuntimeError, match="exited more often than it was entered"):
            context.__exit__(None, None, None)


@pytest.mark.cuda("an unknown keyword for a stream or an event is a `TypeError`", f"{MODULE} Stream", "the same")
@pytest.mark.parametrize(
    "make",
    [
        lambda: gpu.Stream(prioritty=-1),
        lambda: gpu.Stream(0, prioritty=-1),
        lambda: gpu.Stream(0, -1, True),
        lambda: gpu.Stream(priority=-0.5),
        lambda: gpu.Event(prioritty=-1),
        lambda: gpu.Event(enable_timming=True),
        lambda: gpu.Event(True, False, False, False, True),
        lambda: torch.Stream(prioritty=-1),
        lambda: torch.Stream(DEVICE, prioritty=-1),
        lambda: torch.Event(enable_timming=True),
        lambda: torch.Event(DEVICE, enable_timming=True),
        lambda: gpu.stream(gpu.Stream(), device=0),
        lambda: gpu.device(0, stream=1),
    ],
    ids=range(13),
)
def test_unknown_keywords_are_type_errors(make):
    with pytest.raises(TypeError):
        make()


def test_keywords_that_streams_and_events_have_are_taken():
    assert gpu.Stream(device=1, priority=-1).priority == -1
    again = gpu.Stream()
    assert gpu.Stream(stream_id=again.stream_id, device_index=0, device_type=20) == again
    assert gpu.Event(enable_timing=True, blocking=True, interprocess=False, external=False).enable_timing


@pytest.mark.cuda(
    "streams have the priorities 0 and -1; each priority has a pool of 32 streams",
    f"{MODULE} Stream",
    "operations queued in a stream of priority -1 start first",
)
def test_what_waits_on_a_stream_of_high_priority_starts_first():
    assert gpu.Stream.priority_range() == (0, -1)
    low, high = gpu.Stream(), gpu.Stream(priority=-1)
    assert (low.priority, high.priority) == (0, -1)
    x = ready(64, 64)
    judge.hold()
    start = judge.state().runs
    for stream in (low, high):
        with gpu.stream(stream):
            x @ x
    judge.release()
    gpu.synchronize()
    begun = sorted((r.start, r.stream) for r in judge.runs(start) if r.stream in (low.stream_id, high.stream_id))
    assert begun[0][1] == high.stream_id
    assert len({gpu.Stream().stream_id for _ in range(40)}) == 32


@pytest.mark.cuda(
    "`elapsed_time` needs two completed events with timing enabled",
    f"{MODULE} Event",
    "the same, by the device's clock",
)
def test_elapsed_time_needs_completed_events():
    first, last = gpu.Event(enable_timing=True), gpu.Event(enable_timing=True)
    x = ready(300, 300)
    with pytest.raises(ValueError, match="recorded"):
        first.elapsed_time(last)
    judge.hold()
    first.record()
    x @ x
    last.record()
    with pytest.raises(RuntimeError, match="completed"):
        first.elapsed_time(last)
    judge.release()
    gpu.synchronize()
    times = judge.event_times(first.ticket, last.ticket)
    assert first.elapsed_time(last) == (times[1] - times[0]) / 1e6 > 0
    with pytest.raises(ValueError, match="enable_timing"):
        gpu.Event().elapsed_time(last)


@pytest.mark.cuda(
    "a missing `wait_stream` is a race",
    f"{NOTES}#cuda-streams",
    "while a gate holds the other stream back, the value is NaN; without a gate, short kernels may be right by luck, "
    "but `races.find` reports the race all the same",
)
@pytest.mark.parametrize("wait", [False, True])
def test_a_missing_wait_stream_gives_the_wrong_value_every_time(wait: bool):
    x, side = ready(4, value=3.0), gpu.Stream()
    judge.hold(stream=side.stream_id)
    with gpu.stream(side):
        y = x * 2
    if wait:
        gpu.current_stream().wait_stream(side)
    z = y + 1
    if wait:
        assert judge.settle().pending_commands
        assert value(z) is None
        judge.release()
        assert z.tolist() == [7.0] * 4
    else:
        assert np.isnan(z.tolist()).all()
        judge.release()
        gpu.synchronize()
        assert y.tolist() == [6.0] * 4
        assert np.isnan(z.tolist()).all()


@pytest.mark.cuda(
    "each backward operation runs on the stream of its forward operation",
    f"{NOTES}#stream-semantics-of-backward-passes",
    "the same",
)
def test_backward_runs_on_the_stream_of_its_forward():
    side = gpu.Stream()
    w = torch.ones(4, 4, device=DEVICE, requires_grad=True)
    gpu.synchronize()
    start = judge.state().log
    with gpu.stream(side):
        side.wait_stream(gpu.default_stream())
        h = w * 3
    gpu.default_stream().wait_stream(side)
    (h * h).sum().backward()
    launched = [(e.name, e.stream) for e in judge.log(start) if e.kind == "launch"]
    assert launched[0] == ("aten.mul.Tensor", side.stream_id)
    assert launched[-1] == ("aten.mul.Tensor", side.stream_id)
    assert ("aten.sum.default", 0) in launched
    assert w.grad.tolist() == [[18.0] * 4] * 4


@pytest.mark.cuda(
    "if another stream makes a copy that needs no gradient, no backward work moves to that stream",
    f"{NOTES}#stream-semantics-of-backward-passes",
    "the same",
)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_copy_ahead_takes_no_backward_work_along(threads: int):
    """A thread counts its nodes by itself: what one has done on a side stream says nothing of another's nodes."""
    side, w = gpu.Stream(), ready(4, value=1.0).requires_grad_()
    host = torch.ones(4).pin_memory()

    def ahead() -> None:
        with gpu.stream(side):
            host.to(DEVICE, non_blocking=True) * w * w

    def copies() -> None:
        loss = (w * 3).sum() * 2
        with gpu.stream(side):
            host.to(DEVICE, non_blocking=True)
        loss.backward()

    gpu.synchronize()
    for work in ([ahead] * (threads - 1)) + [copies]:
        gpu.synchronize()
        start = judge.state().log
        if threads == 1:
            work()
        else:
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
    assert {e.stream for e in judge.log(start) if e.kind == "launch"} == {0}


@pytest.mark.cuda(
    "between streams, the backward pass waits only for gradients, not for other tensors that it reads",
    f"{NOTES}#stream-semantics-of-backward-passes",
    "the same",
)
def test_the_backward_pass_waits_for_gradients_of_other_streams_and_for_no_later_copy():
    side, w = gpu.Stream(), ready(4, value=1.0).requires_grad_()
    host = torch.ones(4).pin_memory()

    def copied() -> torch.Tensor:
        with gpu.stream(side):
            there = host.to(DEVICE, non_blocking=True)
        return there

    x = copied()
    gpu.current_stream().wait_stream(side)
    loss = (w * x).sum()
    wait_everywhere()
    judge.hold(stream=side.stream_id)
    start = judge.state().log
    copied()  # the next batch; what the pass reads was there before it
    loss.backward()
    waits_of_streams = [e for e in judge.log(start) if e.kind == "stream wait"]
    judge.settle()
    found = value(w.grad)
    judge.release()
    assert waits_of_streams == []
    assert found is not None and found.tolist() == [1.0] * 4


@pytest.mark.cuda(
    "a hook runs on the stream of its node, where the gradient is ready; a hook that uses other tensors must add "
    "a wait",
    "torch/csrc/autograd/engine.cpp evaluate_function",
    "the same",
)
@pytest.mark.parametrize("uses", ["gradient", "other"])
def test_a_hook_finds_its_gradient_and_orders_nothing_else(uses: str):
    side, other = gpu.Stream(), gpu.Stream()
    w, mine = ready(4, value=1.0).requires_grad_(), ready(4, value=1.0)
    seen = []

    def hook(gradient: torch.Tensor) -> None:
        with gpu.stream(other):
            mine.mul_(2)
        seen.append((gradient if uses == "gradient" else mine) + 1)

    middle = w * 3
    middle.register_hook(hook)
    with gpu.stream(side):
        side.wait_stream(gpu.default_stream())
        h = middle * 2
    gpu.default_stream().wait_stream(side)
    wait_everywhere()
    start = judge.state().log
    judge.hold(stream=side.stream_id if uses == "gradient" else other.stream_id)
    h.sum().backward()
    judge.settle()
    waits_for_side = value(seen[0]) is None
    judge.release()
    assert waits_for_side == (uses == "gradient")
    assert [r.name for r in races.find(judge.log(start))] == ([] if uses == "gradient" else ["aten.add.Tensor"])
    wait_everywhere()
    assert uses == "other" or seen[0].tolist() == [3.0] * 4


@pytest.mark.cuda(
    "the caller's stream (current at `backward()`) may use the gradients without a wait, even if the forward "
    "pass used another stream",
    f"{NOTES}#stream-semantics-of-backward-passes",
    "the same",
)
def test_the_callers_stream_waits_for_the_backward_pass():
    side, w = gpu.Stream(), ready(4, value=1.0).requires_grad_()
    loss = (w * 3).sum()
    gpu.synchronize()
    judge.hold(stream=0)
    with gpu.stream(side):
        loss.backward()
        twice = w.grad * 2
    judge.settle()
    assert value(twice) is None
    judge.release()
    with gpu.stream(side):
        assert twice.tolist() == [6.0] * 4


@pytest.mark.cuda(
    "after `backward()`, streams other than the caller's must wait for the gradients",
    f"{NOTES}#stream-semantics-of-backward-passes",
    "the same; a stream that reads the gradients without this wait has a race",
)
@pytest.mark.parametrize("waits_for_side", [False, True])
@pytest.mark.parametrize("passes", [1, 2], ids=["first gradient", "added to an earlier one"])
def test_streams_other_than_the_callers_do_not_wait_for_the_backward_pass(waits_for_side: bool, passes: int):
    side, w = gpu.Stream(), ready(4, value=1.0).requires_grad_()
    start = judge.state().log
    for _ in range(passes):
        side.wait_stream(gpu.current_stream())
        with gpu.stream(side):
            (w * 3).sum().backward()
    if waits_for_side:
        gpu.current_stream().wait_stream(side)
    with torch.no_grad():
        stepped = w - w.grad
    gpu.synchronize()
    assert bool(races.find(judge.log(start))) is not waits_for_side
    wait_everywhere()
    assert not waits_for_side or stepped.tolist() == [1.0 - 3 * passes] * 4


@pytest.mark.cuda(
    "the caller's stream may use the gradients of forward passes on several streams",
    "torch/csrc/autograd/engine.cpp GraphTask::exec_post_processing",
    "the same",
)
@pytest.mark.parametrize("caller", ["default", "one of them", "a third one"])
def test_the_caller_may_use_gradients_of_several_streams(caller: str):
    one, two, third = gpu.Stream(), gpu.Stream(), gpu.Stream()
    v, w = (ready(4, value=1.0).requires_grad_() for _ in range(2))
    here = {"default": gpu.default_stream(), "one of them": one, "a third one": third}[caller]
    gpu.synchronize()
    start = judge.state().log
    losses = []
    for stream, leaf in ((one, v), (two, w)):
        with gpu.stream(stream):
            losses.append((leaf * 3).sum())
    with gpu.stream(here):
        here.wait_stream(one)
        here.wait_stream(two)
        torch.autograd.backward(losses)
        total = v.grad + w.grad
        assert total.tolist() == [6.0] * 4
    assert races.find(judge.log(start)) == []


def test_a_leaf_accumulates_on_the_stream_of_its_first_use():
    """What a later use on another stream adds goes there, and the caller waits for it."""
    side, w = gpu.Stream(), ready(4, value=1.0).requires_grad_()
    w.grad = torch.ones_like(w)
    gpu.synchronize()
    start = judge.state().log
    with gpu.stream(side):
        first = w * 3
    gpu.current_stream().wait_stream(side)
    (first * w).sum().backward()
    added = [e for e in judge.log(start) if e.kind == "launch" and e.name.startswith("aten.add")]
    assert added
    assert added[-1].stream == side.stream_id
    assert (w.grad * 1).tolist() == [7.0] * 4
    assert races.find(judge.log(start)) == []


def test_gradients_of_gradients_run_on_the_streams_of_their_first_pass():
    side, w = gpu.Stream(), ready(4, value=2.0).requires_grad_()
    gpu.synchronize()
    start = judge.state().log
    with gpu.stream(side):
        (slope,) = torch.autograd.grad((w**3).sum(), w, create_graph=True)
        (slope**2).sum().backward()
        assert w.grad.tolist() == [2 * 12 * 12.0] * 4
    assert races.find(judge.log(start)) == []
    assert {e.stream for e in judge.log(start) if e.kind == "launch"} == {side.stream_id}


def test_a_callback_at_the_end_of_a_pass_finds_the_gradients_on_the_callers_stream():
    side, w, seen = gpu.Stream(), ready(4, value=1.0).requires_grad_(), []

    def at_the_end() -> None:
        seen.append((gpu.current_stream(), w.grad * 2))

    def hook(_: torch.Tensor) -> None:
        torch.autograd.Variable._execution_engine.queue_callback(at_the_end)

    middle = w * 3
    middle.register_hook(hook)
    with gpu.stream(side):
        side.wait_stream(gpu.default_stream())
        start = judge.state().log
        middle.sum().backward()
        side.synchronize()
    assert seen[0][0] == side
    assert seen[0][1].tolist() == [6.0] * 4
    assert races.find(judge.log(start)) == []


def test_the_current_stream_in_a_node_is_that_of_its_forward():
    side, w, seen = gpu.Stream(), ready(4, value=1.0).requires_grad_(), []
    with gpu.stream(side):
        middle = w * 3
        middle.register_hook(lambda _: seen.append(gpu.current_stream()))
        loss = middle.sum()
    gpu.current_stream().wait_stream(side)
    loss.backward()
    assert seen == [side]
    assert gpu.current_stream() == gpu.default_stream()


@pytest.mark.cuda("after a value is read, nothing is pending in its stream", f"{MODULE} Stream.query", "the same")
def test_behind_a_read_nothing_is_pending():
    x = ready(4, value=1.0)
    for read in (lambda: x.sum().item(), lambda: (x + 1).cpu(), lambda: x.nonzero(), lambda: x.copy_(torch.ones(4))):
        for _ in range(200):
            read()
            assert gpu.current_stream().query()


@pytest.mark.cuda(
    "`query()` never waits",
    f"{MODULE} Stream.query",
    "the 100th call in a row without a launch in between counts as a wait, and releases held work",
)
def test_the_hundredth_query_is_one_wait_and_opens_the_gate():
    x = ready(4, value=1.0)

    def poll() -> None:
        y = x + 1
        for _ in range(99):
            assert not gpu.current_stream().query()
        gpu.current_stream().query()
        while not gpu.current_stream().query():
            pass
        _ = y

    assert waits(poll) == ["query"]


@pytest.mark.cuda(
    "`event.query()` asks about that event only",
    f"{MODULE} Event.query",
    "the 100th call for one event counts as a wait for this event, and releases held work up to the event",
)
@pytest.mark.parametrize("together", [False, True])
def test_each_event_that_is_polled_is_one_wait(together: bool):
    x, side = ready(4, value=1.0), gpu.Stream()

    def poll() -> None:
        y, events = x, []
        for _ in range(3):
            y = y + 1
            events.append(gpu.current_stream().record_event())
        with gpu.stream(side):
            events.append(side.record_event())
        if together:
            while not all([e.query() for e in events]):  # noqa: C419  (each is asked)
                pass
            return
        for e in events:
            while not e.query():
                pass

    entries = [e for e in logged(poll) if e.is_wait]
    assert [e.name for e in entries] == ["query"] * 4
    assert len({tuple(e.detail["targets"].items()) for e in entries}) == 4
    assert all(e.detail["opened"] for e in entries)


def test_who_asks_for_the_time_between_two_events_again_and_again_waits_as_with_query():
    x, start, end = ready(4, value=1.0), gpu.Event(enable_timing=True), gpu.Event(enable_timing=True)

    def poll() -> None:
        start.record()
        y = x + 1
        end.record()
        for _ in range(99):
            with pytest.raises(RuntimeError, match="must be completed"):
                start.elapsed_time(end)
        while True:
            with contextlib.suppress(RuntimeError):
                assert start.elapsed_time(end) >= 0
                break
        _ = y

    (entry,) = (e for e in logged(poll) if e.is_wait)
    assert entry.name == "elapsed_time" and entry.detail["opened"]


def test_each_wait_is_acknowledged_before_the_next_command():
    x = ready(4, value=1.0)

    def steps() -> None:
        for wait in (gpu.synchronize, lambda: x.sum().item(), lambda: x.cpu(), lambda: torch.nonzero(x)):
            wait()
            _ = x + 1

    kinds = [e.kind for e in logged(steps) if e.is_wait or e.kind == "acknowledged" or e.name == "aten.add.Tensor"]
    assert kinds.count("launch") == 4
    assert all(kinds[place - 1] == "acknowledged" for place, kind in enumerate(kinds) if kind == "launch")
    assert kinds.count("wait") == kinds.count("acknowledged") == 4


def test_polling_one_event_leaves_what_is_behind_it_closed():
    x = ready(4, value=1.0)
    judge.hold_until_waited_for()
    y = x + 1
    event = gpu.current_stream().record_event()
    z = y + 1
    while not event.query():
        pass
    judge.settle()
    assert value(y) is not None
    assert value(z) is None


def test_a_launch_between_queries_begins_the_count_anew():
    x = ready(4, value=1.0)

    def poll() -> None:
        for _ in range(3):
            _y = x + 1
            for _ in range(60):
                assert not gpu.current_stream().query()

    assert waits(poll) == []


@pytest.mark.cuda(
    "`torch.Stream()`, `torch.Event()` work",
    "docs.pytorch.org/docs/stable/generated/torch.Stream.html",
    "they return simgpu's classes",
)
def test_the_generic_stream_and_event_are_ours():
    stream, event = torch.Stream(device=DEVICE), torch.Event(DEVICE, enable_timing=True)
    assert isinstance(stream, gpu.Stream)
    assert isinstance(stream, torch.Stream)
    assert isinstance(event, gpu.Event)
    x = ready(3)
    judge.hold()
    with stream:
        _y = x + 1
        event.record()
    assert not event.query()
    assert not stream.query()


@pytest.mark.cuda("`torch.accelerator` is this device", "docs.pytorch.org/docs/stable/accelerator.html", "the same")
def test_the_accelerator_module_is_this_device():
    assert torch.accelerator.is_available()
    assert torch.accelerator.current_accelerator().type == DEVICE
    assert torch.accelerator.device_count() == gpu.device_count()
    x = ready(3)
    judge.hold()
    _y = x + 1
    assert not torch.accelerator.current_stream().query()
    judge.release()
    torch.accelerator.synchronize()
    assert torch.accelerator.current_stream().query()
    assert torch.accelerator.memory_allocated() == gpu.memory_allocated()
    assert torch.accelerator.get_memory_info() == gpu.mem_get_info()
    assert gpu.get_device_properties(0).total_memory == gpu.mem_get_info()[1]
    torch.accelerator.empty_host_cache()  # C++ has no allocator of this device: it ended the process
    torch.accelerator.memory.empty_host_cache()


# ---- positions in the log


def test_a_mark_stands_where_its_thread_has_put_it_and_waits_for_nothing():
    x = ready(4, value=1.0)

    def function() -> None:
        simgpu.mark("first")
        y = x + 1
        simgpu.mark("second")
        y * 2

    entries = [(e.kind, e.name) for e in logged(function) if e.kind in ("mark", "launch", "wait")]
    assert entries == [
        ("mark", "first"),
        ("launch", "aten.add.Tensor"),
        ("mark", "second"),
        ("launch", "aten.mul.Tensor"),
    ]


def test_a_label_is_cut():
    start = judge.state().log
    simgpu.mark("x" * 1000)
    (entry,) = judge.log(start)
    assert len(entry.name) == 60


# ---- random numbers


@pytest.mark.cuda(
    "random numbers are fixed when the operation is enqueued",
    "ATen/cuda/CUDAGeneratorImpl.h",
    "the same: each launch contains a seed",
)
def test_random_numbers_are_fixed_at_enqueue_whatever_runs_first():
    def draw(first: int) -> list[torch.Tensor]:
        torch.manual_seed(7)
        a, b = gpu.Stream(), gpu.Stream()
        gpu.synchronize()
        judge.hold()
        drawn = []
        for stream in (a, b):
            with gpu.stream(stream):
                drawn.append(torch.randn(100, device=DEVICE))
        judge.release(stream=(a, b)[first].stream_id)
        (a, b)[first].synchronize()
        judge.release()
        gpu.synchronize()
        return [t.cpu() for t in drawn]

    one, other = draw(0), draw(1)
    assert all(torch.equal(x, y) for x, y in zip(one, other, strict=True))
    assert not torch.equal(*one)


@pytest.mark.cuda(
    "`manual_seed` and the state of the generator repeat the numbers",
    f"{MODULE} get_rng_state",
    "the same; the state is 16 bytes, seed and offset",
)
def test_a_state_of_the_generator_repeats_the_numbers():
    gpu.manual_seed(3)
    torch.rand(5, device=DEVICE)
    state = gpu.get_rng_state()
    first = torch.rand(5, device=DEVICE).cpu()
    second = torch.rand(5, device=DEVICE).cpu()
    gpu.set_rng_state(state)
    assert torch.equal(first, torch.rand(5, device=DEVICE).cpu())
    assert not torch.equal(first, second)
    assert waits(lambda: torch.manual_seed(3)) == []
    assert state.numel() == 16


@pytest.mark.cuda("a `torch.Generator` of the device draws when an operation is enqueued", f"{NOTES}", "the same")
def test_a_generator_draws_at_enqueue_whatever_runs_first():
    generator = torch.Generator(DEVICE).manual_seed(3)
    judge.hold()
    early = torch.rand(5, device=DEVICE, generator=generator)
    generator.manual_seed(3)
    judge.release()
    assert torch.equal(early, torch.rand(5, device=DEVICE, generator=generator))


@pytest.mark.parametrize(
    ("draw", "mean", "std"),
    [
        (lambda: torch.rand(20000, device=DEVICE), 0.5, 12**-0.5),
        (lambda: torch.randn(20000, device=DEVICE), 0, 1),
        (lambda: F.dropout(torch.ones(20000, device=DEVICE), 0.25), 1, (1 / 0.75 - 1) ** 0.5),
        (lambda: torch.bernoulli(torch.full((20000,), 0.3, device=DEVICE)), 0.3, 0.21**0.5),
        (lambda: torch.empty(20000, device=DEVICE).exponential_(2.0), 0.5, 0.5),
        (lambda: torch.randint(0, 11, (20000,), device=DEVICE).float(), 5, 10**0.5),
        (lambda: torch.randperm(20000, device=DEVICE).float(), 9999.5, 20000 / 12**0.5),
        (lambda: torch.multinomial(torch.ones(4, device=DEVICE), 20000, replacement=True).float(), 1.5, 1.25**0.5),
    ],
    ids=["rand", "randn", "dropout", "bernoulli", "exponential", "randint", "randperm", "multinomial"],
)
def test_random_numbers_have_their_moments(draw, mean: float, std: float):
    torch.manual_seed(11)
    drawn = draw().cpu()
    assert abs(drawn.mean().item() - mean) < 5 * std / 20000**0.5
    assert abs(drawn.std().item() / std - 1) < 0.05


# ---- threads


def test_threads_wait_side_by_side():
    x, side, out = ready(4, value=1.0), gpu.Stream(), []
    judge.hold(stream=side.stream_id)

    def slow() -> None:
        with gpu.stream(side):
            out.append((x * 2).tolist())

    thread = threading.Thread(target=slow)
    start = judge.state().log
    thread.start()
    while not any(e.is_wait for e in judge.log(start)):
        pass
    for _ in range(20):
        assert (x + 1).tolist() == [2.0] * 4
    judge.release()
    thread.join()
    assert out == [[2.0] * 4]


def test_training_waits_for_nothing_and_is_issued_while_held():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 3)).to(DEVICE)
    optimizer = torch.optim.Adam(net.parameters())
    x, y = torch.randn(4, 8).to(DEVICE), torch.tensor([0, 1, 2, 0]).to(DEVICE)

    def steps() -> None:
        for _ in range(3):
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()

    entries = logged(steps, until_waited_for=False)
    assert not [e for e in entries if e.is_wait]
    assert sum(e.is_command for e in entries) > 100


def test_work_that_is_given_up_does_not_run_and_the_next_wait_says_so():
    x = ready(4, value=1.0)
    judge.hold()
    y = x + 1
    told: list[BaseException] = []

    def wait() -> None:
        try:
            y.tolist()
        except RuntimeError as error:
            told.append(error)

    before = judge.state().number
    thread = threading.Thread(target=wait)
    thread.start()
    while judge.state().number == before:
        pass
    judge.give_up()
    z = x + 2
    judge.release()
    thread.join()
    assert "was dropped" in str(told[0])
    assert value(y) is None and z.tolist() == [3.0] * 4
    assert judge.settle().idle
