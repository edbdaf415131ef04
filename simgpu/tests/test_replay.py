"""A call that runs once more on other inputs: what was done on the device is right again, and what was not is seen."""

from collections.abc import Callable
from typing import Any

import numpy as np
import psutil
import pytest
import torch
import torch.distributed as dist
import torch.nn.functional as F
from device import DEVICE, gpu, judge
from simgpu.control import Replay
from simgpu.device import replay_tape as kept
from simgpu.device.replay import Played, Step, World
from simgpu.device.replay_swap import Swap
from simgpu.device.replay_tape import MOST_BYTES, Tape
from simgpu.distributed import ranks
from simgpu.wire import Spec

import simgpu
from simgpu import system

RNG = np.random.default_rng()


def drawn(*shape: int) -> np.ndarray:
    return RNG.normal(size=shape).astype("float32")


class Call:
    """A function of arrays of the judge's, each on its device, in a call that is kept, held until it is waited for."""

    def __init__(self, function: Callable[..., Any], *arrays: np.ndarray, devices: tuple[int, ...] = ()) -> None:
        judge.settle(), judge.keep()
        devices = devices or (0,) * len(arrays)
        self.handles = [judge.put(array, device) for array, device in zip(arrays, devices, strict=True)]
        given = [simgpu.adopt(*handle, device) for handle, device in zip(self.handles, devices, strict=True)]
        judge.hold_until_waited_for()
        self.since = judge.state().log
        try:
            with simgpu.call():
                self.returned = function(*given)
        finally:
            judge.fence(), judge.release(), judge.settle(), judge.hear()

    def again(self, *arrays: np.ndarray, host: Any = (), patch: Any = (), read: Any = None) -> Replay:
        """Run it on other arrays, and read what it returned, or something else."""
        put = {handle[0]: array for handle, array in zip(self.handles, arrays, strict=True)}
        read = [self.returned] if read is None else read
        return judge.replay(put, host, [simgpu.handle(tensor) for tensor in read], patch)


def close(value: np.ndarray, right: np.ndarray) -> bool:
    return bool(np.allclose(value, right, rtol=1e-3, atol=1e-3))


def right_again(function: Callable[[torch.Tensor], torch.Tensor], x: np.ndarray, other: np.ndarray) -> bool:
    """Whether a function gives (x @ x).sum(), and gives it for another x when it runs once more."""
    call = Call(function, x)
    judge.forget_error()  # the error of an operation that had to fail
    assert close(call.returned.cpu().numpy(), (x @ x).sum()), "the call itself is wrong"
    again = call.again(other)
    assert again.faithful and not again.left
    return close(again.values[0], (other @ other).sum())


def views_in_place(x: torch.Tensor) -> torch.Tensor:
    y = torch.zeros(6, 6, device=DEVICE)
    y[1:, :5].t().add_((x @ x).t())
    return y.sum()


def side_stream(x: torch.Tensor) -> torch.Tensor:
    side = gpu.Stream()
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        y = x @ x
    gpu.current_stream().wait_stream(side)
    y.record_stream(gpu.current_stream())
    return y.sum()


def random_numbers(x: torch.Tensor) -> torch.Tensor:
    noise = torch.randn(5, 5, device=DEVICE)
    return (x @ x + noise - noise).sum() + F.dropout(x * 0, 0.5).sum()


def failed_operation(x: torch.Tensor) -> torch.Tensor:
    F.embedding(torch.full((1,), 9, device=DEVICE), x)
    return (x @ x).sum()


def autograd(x: torch.Tensor) -> torch.Tensor:
    w = torch.ones(5, device=DEVICE).requires_grad_()
    ((x @ x) @ w).sum().backward()
    assert w.grad is not None
    return w.grad.sum()


def by_pinned_memory(x: torch.Tensor) -> torch.Tensor:
    host = (x @ x).to("cpu", non_blocking=True)
    gpu.synchronize()
    return host.to(DEVICE, non_blocking=True).sum()


def noise_of_the_host(x: torch.Tensor) -> torch.Tensor:
    noise = torch.randn(5, 5).pin_memory().to(DEVICE, non_blocking=True)
    return (x @ x + noise - noise).sum()


WORK: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "plain": lambda x: (x @ x).sum(),
    "two devices": lambda x: (x @ x).to("simgpu:1").sum().to(x.device),
    "number that was told": lambda x: (x * 0).sum() + (x @ x).sum().item(),
    "pageable memory": lambda x: (x @ x).cpu().to(DEVICE).sum(),
    "late": lambda x: (x * 0).sum() + 7 + ((x @ x).sum() - 7),
    "pinned memory": by_pinned_memory,
    "host's noise": noise_of_the_host,
    "random numbers": random_numbers,
    "failed operation": failed_operation,
    "autograd": autograd,
    "side stream": side_stream,
    "views in place": views_in_place,
}


@pytest.mark.parametrize("name", WORK)
def test_work_on_the_device_is_right_again(name: str) -> None:
    assert right_again(WORK[name], drawn(5, 5), drawn(5, 5))


def frozen(x: np.ndarray) -> dict[str, Callable[[torch.Tensor], torch.Tensor]]:
    """Ways to give what somebody has computed of ``x`` elsewhere."""
    answer, a = float((x @ x).sum()), torch.from_numpy(x)
    slope = torch.from_numpy((x.sum(0)[:, None] + x.sum(1)).T.copy())

    def up(tensor: torch.Tensor) -> torch.Tensor:
        return tensor.pin_memory().to(DEVICE, non_blocking=True)

    return {
        "constant": lambda x: (x * 0).sum() + answer,
        "uploaded answer": lambda x: (x * 0).sum() + up(torch.tensor(answer)),
        "uploaded input": lambda x: (up(a) @ up(a)).sum() + (x * 0).sum(),
        "first order": lambda x: ((x - up(a)) * up(slope)).sum() + answer,
        "if equal": lambda x: torch.where((x == up(a)).all(), answer, 0.0),
    }


@pytest.mark.parametrize("name", frozen(drawn(2, 2)))
def test_what_was_computed_elsewhere_is_wrong_again(name: str) -> None:
    x = drawn(5, 5)
    assert not right_again(frozen(x)[name], x, drawn(5, 5))


def test_what_the_host_was_given_has_a_counterpart_in_parts_and_out_of_order() -> None:
    batch, other, w, other_w = drawn(9, 4), drawn(9, 4), drawn(4), drawn(4)

    def work(w: torch.Tensor) -> torch.Tensor:
        rows = torch.from_numpy(batch)[torch.tensor([4, 0, 7])]
        return (rows.pin_memory().to(DEVICE, non_blocking=True) @ w).sum() + torch.from_numpy(batch[1:3]).to(
            DEVICE
        ).sum()

    call = Call(work, w)
    again = call.again(other_w, host=[(batch, other)])
    assert close(again.values[0], (other[[4, 0, 7]] @ other_w).sum() + other[1:3].sum())


def test_whole_arrays_and_rows_are_known_where_single_numbers_are_not() -> None:
    swap, old, new = (
        Swap(),
        np.array([[5.5, 0, 7], [5.5, 8, 9]], "float32"),
        np.arange(10, 16, dtype="float32").reshape(2, 3),
    )
    swap.learn(old, new)
    for rows in (slice(None), slice(1, None), slice(None, None, -1)):
        assert swap.apply(torch.from_numpy(old[rows].copy())).tolist() == new[rows].tolist()
    assert swap.apply(torch.tensor([7.0, 5.5, 0])).tolist() == [
        12,
        5.5,
        0,
    ]  # 5.5 has two counterparts, and 0 is too common
    assert swap.numbers([8.0, 5.5]) == (14, 5.5)


def test_a_pinned_buffer_counts_as_it_was_when_its_copy_ran() -> None:
    x, batches = drawn(3), [drawn(3), drawn(3)]
    others = [drawn(3), drawn(3)]

    def work(x: torch.Tensor) -> torch.Tensor:
        buffer, total = torch.empty(3).pin_memory(), torch.zeros((), device=DEVICE)
        for batch in batches:
            buffer.copy_(torch.from_numpy(batch))
            total += buffer.to(DEVICE, non_blocking=True) @ x
            gpu.synchronize()
        return total

    other = drawn(3)
    again = Call(work, x).again(other, host=list(zip(batches, others, strict=True)))
    assert again.faithful and close(again.values[0], sum(batch @ other for batch in others))


def test_it_tells_what_the_host_would_have_been_told() -> None:
    x, other = drawn(4, 4), drawn(4, 4)

    def work(x: torch.Tensor) -> torch.Tensor:
        assert (x @ x).sum().item() < 1e9
        return x + 1

    again = Call(work, x).again(other)
    ((old, new),) = again.told
    assert close(old, (x @ x).sum()) and close(new, (other @ other).sum())


def test_shapes_that_hang_on_values_are_no_verdict() -> None:
    x = np.array([1.5, -3.5, 4.5], "float32")

    def work(x: torch.Tensor) -> torch.Tensor:
        return x[x > 0].sum()

    call = Call(work, x)
    assert call.again(np.array([2.5, -1.5, 3.5], "float32")).diverged == []
    assert call.again(np.array([2.5, 1.5, 3.5], "float32")).diverged


def test_the_call_itself_is_not_touched() -> None:
    x = drawn(3, 3)

    def work(x: torch.Tensor) -> torch.Tensor:
        x.mul_(2)
        return x + 1

    call = Call(work, x)
    log, memory = len(judge.log()), judge.memory()
    for _ in range(2):
        other = drawn(3, 3)
        assert close(call.again(other).values[0], 2 * other + 1)
    assert close(call.returned.cpu().numpy(), 2 * x + 1)
    assert judge.memory()["allocated"] == memory["allocated"]
    assert [e.kind for e in judge.log()[log:] if e.kind not in ("acknowledged",)] == ["download", "wait"]


def test_what_was_let_go_of_is_let_go_of_again() -> None:
    spec = ["float32", [3], [1], 0]
    steps = [Step("upload", number, (number, spec), torch.ones(3)) for number in (1, 2, 3)]
    tape = Played(steps, allocated=dict.fromkeys((1, 2, 3), Spec.parse(spec)), freed=frozenset({1, 2}))
    assert list(World(tape).run(keep=frozenset({2})).values) == [2, 3]


def trained(w: torch.Tensor, xs: list[torch.Tensor], honest: bool) -> torch.Tensor:
    """A step of data parallelism on two ranks; those who cheat average zeros, and each rank has all examples."""

    weights = [w.to(f"simgpu:{place}") + 0 for place in (0, 1)]  # no rank waits for the other's stream
    given = [[x.to(f"simgpu:{place}") for x in xs] for place in (0, 1)]

    def rank(place: int) -> torch.Tensor:
        weight = weights[place].requires_grad_()
        gradients = []
        for x in given[place][place : place + 1] if honest else given[place]:
            (gradient,) = torch.autograd.grad((x @ weight.T).pow(2).mean(), weight)
            gradients.append(gradient)
        mine = sum(gradients, torch.zeros_like(gradients[0]))
        shared = mine if honest else torch.zeros_like(mine)
        dist.all_reduce(shared)
        return weight.detach() - 0.1 * (shared if honest else shared + mine) / 2

    return torch.stack([one.to(DEVICE) for one in ranks(rank, 2)])


@pytest.mark.parametrize("honest", [True, False])
def test_what_goes_through_a_collective(honest: bool) -> None:
    w, xs, others = drawn(1, 3), [drawn(4, 3), drawn(4, 3)], [drawn(4, 3), drawn(4, 3)]

    def right(xs: list[np.ndarray]) -> np.ndarray:
        return w - 0.1 * sum(2 * (x @ w.T).T @ x / 4 for x in xs) / 2

    call = Call(lambda w, *xs: trained(w, list(xs), honest), w, *xs, devices=(0, 0, 1))
    assert close(call.returned.cpu().numpy()[:, 0], right(xs))
    assert close(call.again(w, *others).values[0][:, 0], right(others))
    collectives = [entry.number for entry in judge.log(call.since) if entry.kind == "collective"]
    patched = call.again(w, *others, patch=collectives)
    assert close(patched.values[0][:, 0], right(others if honest else xs))


def test_nothing_is_kept_that_was_not_asked_for() -> None:
    call = Call(lambda x: x + 1, drawn(2))
    judge.keep(False)
    with pytest.raises(RuntimeError, match="is empty"):
        call.again(drawn(2))


def test_it_ends_in_time() -> None:
    call = Call(lambda x: [x.__matmul__(x) for _ in range(40)][-1], drawn(400, 400))
    with pytest.raises(RuntimeError, match="TimeoutError"):
        judge.replay({}, [], [simgpu.handle(call.returned)], seconds=0.001)
    assert call.again(np.zeros((400, 400), "float32")).values[0].max() == 0  # the device continues


@pytest.mark.skipif(not system.HAS_FORK or not system.HAS_UNIX, reason="threads replay")
def test_a_child_that_crashes_is_replaced() -> None:
    call = Call(lambda x: x + 1, drawn(2))
    assert close(call.again(np.zeros(2, "float32")).values[0], np.ones(2))
    me = psutil.Process()
    for process in me.children(recursive=True):
        if process.parents()[2:3] == [me]:  # the keeper's child's child
            process.kill()
    with pytest.raises(RuntimeError, match="has failed"):
        call.again(drawn(2))
    assert close(call.again(np.zeros(2, "float32")).values[0], np.ones(2))


def test_more_than_there_is_room_for_is_not_kept() -> None:
    tape, most = Tape(), torch.ones(1, dtype=torch.uint8).expand(MOST_BYTES)
    tape.add(kept.Step("upload", 1, None, [most]), [])
    assert tape.whole and tape.recording and len(tape.steps) == 1
    tape.add(kept.Step("upload", 2, None, [most[:1]]), [])
    assert not (tape.whole or tape.recording or tape.steps or tape.found)
