"""Collectives and data parallelism over the logical devices."""

import contextlib
import copy
import json
import re
import subprocess
import sys
import threading
from pathlib import Path

import distributed_programs
import gloo_ranks
import pytest
import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as functional
import torch.nn.functional as F
from device import DEVICE, gpu, judge, value, wait_everywhere
from gloo_ranks import Net, batches, sgd, zero
from simgpu.wire import STREAMS
from torch import nn
from torch.distributed.algorithms.ddp_comm_hooks import default_hooks
from torch.nn.parallel import DistributedDataParallel

from simgpu import distributed, races

pytestmark = pytest.mark.filterwarnings("ignore")


def full(count: int, content: float) -> torch.Tensor:
    return torch.full((count,), float(content), device=DEVICE)


def held(function):
    """(result, log) of a call during which no device runs anything; then all may run."""
    wait_everywhere()
    judge.hold()
    start = judge.state().log
    try:
        return function(), judge.log(start)
    finally:
        judge.release()
        wait_everywhere()


def every_collective(rank: int) -> list[torch.Tensor]:
    a, b, c, o, r, s, g = (
        full(3, rank + 1),
        full(3, rank + 1),
        full(2, rank),
        full(8, 0),
        full(2, 0),
        full(2, 0),
        full(1, rank),
    )
    parts, mine = [full(2, -1) for _ in range(4)], [full(1, -1) for _ in range(4)]
    dist.all_reduce(a, async_op=True).wait()
    dist.all_reduce(b, op=dist.ReduceOp.AVG)
    dist.broadcast(c, 2)
    dist.all_gather(parts, full(2, rank))
    dist.all_gather_into_tensor(o, c + rank)
    dist.reduce_scatter_tensor(r, torch.arange(8.0, device=DEVICE))
    dist.scatter(s, [full(2, n) for n in range(4)] if rank == 1 else None, src=1)
    dist.gather(g, mine if rank == 3 else None, dst=3)
    return [a, b, c, torch.cat(parts), o, r, s, torch.cat(mine)]


def test_all_collectives_give_what_they_should_and_wait_for_nothing():
    results, log = held(lambda: distributed.ranks(every_collective, 4))
    assert [e for e in log if e.is_wait] == []
    assert sum(e.kind == "collective" for e in log) == 32
    for rank, result in enumerate(results):
        assert all(t.get_device() == rank for t in result)
        gathered = [0, 1, 2, 3] if rank == 3 else [-1] * 4
        scattered = [[8 * rank, 8 * rank + 4], [rank] * 2, gathered]
        want = [[10] * 3, [2.5] * 3, [2] * 2, [0, 0, 1, 1, 2, 2, 3, 3], [2, 2, 3, 3, 4, 4, 5, 5], *scattered]
        assert [t.tolist() for t in result] == want


def test_the_log_says_what_each_rank_gives():
    def work(rank: int) -> None:
        dist.all_reduce(full(3, rank))
        dist.all_gather([full(2, 0), full(2, 0)], full(2, rank))
        dist.reduce_scatter_tensor(full(4, 0), torch.zeros(8, dtype=torch.float64, device=DEVICE).float())

    _, log = held(lambda: distributed.ranks(work, 2))
    told = [(e.name, e.detail["rank"], e.detail["bytes"], e.detail["sizes"]) for e in log if e.kind == "collective"]
    for rank in (0, 1):
        assert [t for t in told if t[1] == rank] == [
            ("all_reduce", rank, 12, [[3]]),
            ("all_gather", rank, 8, [[2]]),
            ("reduce_scatter", rank, 32, [[4], [4]]),
        ]


def test_send_and_receive_meet():
    def work(rank: int) -> torch.Tensor:
        t = full(2, rank + 5)
        if rank:
            dist.recv(t, 0)
        else:
            dist.send(t, 1)
        return t

    assert [t.tolist() for t in distributed.ranks(work, 2)] == [[5.0] * 2] * 2


@pytest.mark.parametrize("behind", [False, True])
def test_what_is_on_the_way_to_a_rank_that_has_not_come_counts_as_memory_for_the_judge(behind: bool):
    """``behind``: it is not in the message itself, but read by what stands behind it in a queue."""
    sent, received = threading.Event(), threading.Event()
    judge.count()
    held: list[int] = []

    def work(rank: int) -> None:
        if rank:
            sent.wait()
            held.append(judge.memory(0)["made"])
            dist.recv(torch.empty(1 if behind else 1 << 16, device=f"{DEVICE}:1"), 0)
            gpu.synchronize(1)
            received.set()
            return
        kept, t = full(1, 0), full(1 << 16, 1)
        side = gpu.Stream()
        side.wait_stream(gpu.current_stream())
        with gpu.stream(side):
            if behind:
                dist.isend(torch.zeros(1, device=DEVICE), 1).wait()
                kept.copy_(t[:1])
                t.record_stream(side)
            else:
                dist.isend(t, 1)
        del t
        torch.empty(1, device=DEVICE)  # reports freed tensors to the device
        sent.set()
        received.wait()

    distributed.ranks(work, 2)
    wait_everywhere()
    assert held[0] >= 4 << 16 > judge.memory(0)["made"]


def test_ranks_leave_the_hook_for_exceptions_as_it_was():
    before = sys.excepthook
    distributed.ranks(lambda rank: None, 2)
    assert sys.excepthook is before


def test_ranks_leave_no_network_active_whoever_ends_its_forward_pass_last():
    inside, over = [threading.Event(), threading.Event()], threading.Event()

    class Meeting(nn.Linear):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            inside[dist.get_rank()].set()
            (over if dist.get_rank() else inside[1]).wait(60)
            return super().forward(x)

    def work(rank: int):
        net = DistributedDataParallel(Meeting(2, 2, device=DEVICE))
        inside[0].wait(60 * rank)
        net(torch.ones(2, 2, device=DEVICE))
        if rank == 0:
            over.set()

    distributed.ranks(work, 2)
    assert DistributedDataParallel._get_active_ddp_module() is None


def test_barrier_is_the_one_collective_that_holds_up_the_host():
    start = judge.state().log
    distributed.ranks(lambda rank: dist.barrier(), 2)
    assert [e.name for e in judge.log(start) if e.is_wait] == ["barrier"] * 2


def test_tensors_of_the_host_are_refused():
    with pytest.raises(RuntimeError, match="No backend type associated with device type cpu"):
        distributed.ranks(lambda rank: dist.all_reduce(torch.ones(2)), 2)


def test_async_op_returns_a_handle_that_is_not_complete_while_the_judge_holds_a_peer():
    def work(rank: int):
        t = full(4, rank + 1)
        handle = dist.all_reduce(t, async_op=True)
        other = torch.ones(4, device=DEVICE) * 2
        done = handle.is_completed()
        handle.wait()
        return t, other, t + 1, done

    wait_everywhere()
    judge.hold(device=1)
    one, two = distributed.ranks(work, 2)
    assert not one[3]
    judge.settle()
    assert value(one[1]).tolist() == [2.0] * 4
    assert value(one[2]) is None
    judge.release(device=1)
    assert one[2].tolist() == two[2].tolist() == [4.0] * 4


def test_a_wait_opens_what_it_needs_on_all_devices():
    wait_everywhere()
    judge.hold_until_waited_for()
    turn = threading.Barrier(2, timeout=60)

    def work(rank: int) -> list[float]:
        sums = []
        for step in range(4):
            t = full(4, rank + step)
            if rank == step % 2:
                turn.wait()
            dist.all_reduce(t, async_op=True).wait()
            if rank != step % 2:
                turn.wait()
            sums.append((t * 2).sum().item())
        turn.wait()
        return sums

    assert distributed.ranks(work, 2) == [[8.0 * (1 + 2 * s) for s in range(4)]] * 2


@pytest.mark.parametrize(
    ("devices", "work", "text"),
    [
        (
            None,
            lambda rank: dist.all_reduce(full(3 + rank, 1), async_op=True) and None,
            "all ranks must issue the same collectives",
        ),
        (
            None,
            lambda rank: dist.broadcast(full(3, 1), rank, async_op=True) and None,
            "all ranks must issue the same collectives",
        ),
        ([1, 1], lambda rank: dist.all_reduce(full(3, 1), async_op=True) and None, "Duplicate GPU detected: rank"),
    ],
    ids=["shapes", "roots", "devices"],
)
def test_calls_that_do_not_fit_together_give_a_late_error_and_no_hang(devices, work, text: str):
    distributed.ranks(work, 2, devices)
    with pytest.raises(RuntimeError, match=text):
        for _ in range(2):
            wait_everywhere()
    assert judge.settle().meetings == 0


def test_a_rank_that_dies_is_a_late_error_for_the_others_and_not_a_hang():
    told = []

    def work(rank: int) -> None:
        if rank == 1:
            raise ValueError("lost my way")
        t = full(3, 1)
        dist.all_reduce(t)
        try:
            t.tolist()
        except RuntimeError as error:
            told.append(str(error))

    with pytest.raises(ValueError, match="lost my way"):
        distributed.ranks(work, 2)
    assert "rank 1 has ended and does not take part in this all_reduce: ValueError: lost my way" in told[0]


@pytest.mark.parametrize("alone", ["send", "recv"])
@pytest.mark.parametrize("first", [True, False])
def test_who_sends_to_or_receives_from_a_rank_that_ended_gets_a_late_error(alone: str, first: bool):
    ended, told = threading.Event(), []

    def work(rank: int) -> None:
        if rank == 1:
            if first:
                ended.wait(20)
            return
        t = full(3, 1)
        getattr(dist, alone)(t, 1)
        ended.set()
        with pytest.raises(RuntimeError) as error:
            t.tolist()
        told.append(str(error.value))

    distributed.ranks(work, 2)
    assert "rank 1 has ended and does not take part in this send" in told[0]


# ---- nothing hangs


@pytest.fixture(scope="module")
def came_of() -> dict[tuple[str, int], dict]:
    """What came of each program, in a process of their own; one that hangs is missing, and so are those after it."""
    folder = Path(__file__).parent
    command = [sys.executable, "-W", "ignore", str(folder / "distributed_programs.py")]
    with contextlib.suppress(subprocess.TimeoutExpired):
        done = subprocess.run(command, stdout=subprocess.PIPE, timeout=300, stdin=subprocess.DEVNULL, check=True)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        return {(name, size): result for name, size, result in lines if result is not None}
    pytest.fail("a program of ranks hangs: run tests/distributed_programs.py to see which")


@pytest.mark.cuda(
    "a send or a collective that a peer never joins blocks the stream, and the program hangs",
    "docs.nvidia.com/deeplearning/nccl/user-guide/docs/usage/p2p.html",
    "once no rank can continue, a late error names the ranks and their calls",
)
@pytest.mark.parametrize("size", [2, 3])
def test_every_program_of_ranks_gives_its_values_or_says_why_not(came_of, size: int):
    wrong = {}
    for name, program in distributed_programs.PROGRAMS.items():
        result, want = came_of[name, size], program.want(size)
        if isinstance(want, str):
            fits = re.search(want, result.get("error", ""))
        else:
            fits = "error" not in result and result["value"] == want
        if not fits or result["meetings"]:
            wrong[name] = result
    assert wrong == {}


@pytest.mark.cuda(
    "all sends and receives of `batch_isend_irecv` run at the same time",
    "docs.pytorch.org/docs/stable/distributed.html#torch.distributed.batch_isend_irecv",
    "the same: one command on the group's communicator",
)
def test_a_batch_is_one_command_that_waits_for_what_was_launched_before_it():
    def work(rank: int) -> list[torch.Tensor]:
        x, y = full(2, rank) + 1, full(2, -1)
        operations = [dist.P2POp(dist.isend, x, 1 - rank), dist.P2POp(dist.irecv, y, 1 - rank)]
        for handle in dist.batch_isend_irecv(operations):
            assert not handle.is_completed()
            handle.wait()
        return [x, y + 1]

    results, log = held(lambda: distributed.ranks(work, 2))
    assert [r[1].tolist() for r in results] == [[3.0, 3.0], [2.0, 2.0]]
    parts = [e for e in log if e.kind == "collective"]
    assert sorted((e.stream // STREAMS, e.name, e.detail["bytes"]) for e in parts) == [
        (device, "batch_isend_irecv", 8) for device in (0, 1)
    ]
    assert {len(e.reads) + len(e.writes) for e in parts} == {2}
    assert len({tuple(map(tuple, sorted(e.detail["meetings"]))) for e in parts}) == 1
    assert races.find(log) == []


@pytest.mark.parametrize("waits", [True, False])
def test_who_reads_what_a_batch_receives_must_wait_for_it(waits: bool):
    def work(rank: int) -> None:
        y = full(2, -1)
        operations = [dist.P2POp(dist.isend, full(2, rank), 1 - rank), dist.P2POp(dist.irecv, y, 1 - rank)]
        for handle in dist.batch_isend_irecv(operations):
            if waits:
                handle.wait()
        y.add_(1)

    _, log = held(lambda: distributed.ranks(work, 2))
    assert {race.name for race in races.find(log)} == (set() if waits else {"aten.add_.Tensor"})


def test_ranks_that_wait_behind_a_closed_gate_are_in_no_deadlock():
    def work(rank: int) -> float:
        t = full(2, rank)
        dist.all_reduce(t)
        return t.sum().item()

    wait_everywhere()
    judge.hold()
    start, results = judge.state().log, []
    host = threading.Thread(target=lambda: results.append(distributed.ranks(work, 2)), daemon=True)
    host.start()
    while sum(e.is_wait for e in judge.log(start)) < 2:
        pass
    judge.release()
    host.join(60)
    assert results == [[2.0, 2.0]]


@pytest.mark.parametrize("sound", [True, False])
def test_a_wait_that_opens_gates_finds_a_deadlock_and_no_other(sound: bool):
    def work(rank: int) -> list[float]:
        x, y = full(2, rank), full(2, -1)
        send, receive = dist.P2POp(dist.isend, x, 1 - rank), dist.P2POp(dist.irecv, y, 1 - rank)
        for batch in [[send, receive]] if sound else [[send], [receive]]:
            for handle in dist.batch_isend_irecv(batch):
                handle.wait()
        return y.tolist()

    wait_everywhere()
    judge.hold_until_waited_for()
    if sound:
        assert distributed.ranks(work, 2) == [[1.0, 1.0], [0.0, 0.0]]
    else:
        with pytest.raises(RuntimeError, match=r"deadlock: .*rank 0 waits in a batch with send to rank 1"):
            distributed.ranks(work, 2)


def test_a_deadlock_of_some_ranks_is_no_error_of_others_that_come_later():
    """Another world of ranks, on other devices, waits at the same time and goes on."""
    begun, over = threading.Event(), threading.Event()

    def waiting(rank: int) -> float:
        t = full(2, rank)  # 0 and 1
        if rank:
            over.wait(60)
        dist.all_reduce(t)
        if not rank:
            begun.set()
        return t.sum().item()

    def stuck(rank: int) -> None:
        t = full(2, rank)
        dist.recv(t, 1 - rank)
        t.tolist()

    results = []
    host = threading.Thread(target=lambda: results.append(distributed.ranks(waiting, 2, [2, 3])), daemon=True)
    host.start()
    begun.wait(60)
    with pytest.raises(RuntimeError, match=r"deadlock: .*rank 0 waits in recv from rank 1"):
        distributed.ranks(stuck, 2)
    over.set()
    host.join(60)
    assert results == [[2.0, 2.0]]


def test_ranks_that_nobody_has_started_are_refused():
    distributed.install()
    with pytest.raises(NotImplementedError, match=r"^simgpu: .*simgpu.distributed.ranks\(work, 2\)"):
        dist.init_process_group("simgpu", rank=0, world_size=2, store=dist.HashStore())


def test_more_ranks_than_devices_are_refused():
    with pytest.raises(ValueError, match="5 ranks need 5 devices, but there are only 4"):
        distributed.ranks(lambda rank: None, 5)


def test_a_batch_that_fails_on_the_way_takes_nothing_with_it():
    def work(rank: int) -> list[float]:
        x, y = full(2, rank), full(2, -1)
        with pytest.raises(ValueError, match="Tensors must be contiguous"):
            dist.batch_isend_irecv([dist.P2POp(dist.isend, t, 1 - rank) for t in (x, full(4, 0)[::2])])
        for handle in dist.batch_isend_irecv(
            [dist.P2POp(dist.isend, x, 1 - rank), dist.P2POp(dist.irecv, y, 1 - rank)]
        ):
            handle.wait()
        return y.tolist()

    assert distributed.ranks(work, 2) == [[1.0, 1.0], [0.0, 0.0]]


# ---- data parallelism


def reference(size: int, steps: int, make) -> list[torch.Tensor]:
    """The same on the host, with every rank's gradients averaged in their order."""
    torch.manual_seed(0)
    net = Net()
    optimizer = make(net.parameters())
    for step in batches(size, steps):
        grads = []
        for x, y in step:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            grads.append([p.grad for p in net.parameters()])
        for p, *parts in zip(net.parameters(), *grads, strict=True):
            p.grad = sum(parts) / size
        optimizer.step()
    return [p.detach() for p in net.parameters()]


def gloo(size: int, steps: int, folder, make: str) -> list[torch.Tensor]:
    """Stock DDP over gloo on the CPU, in processes that know nothing of simgpu."""
    command = [sys.executable, gloo_ranks.__file__, str(size), str(steps), str(folder), make]
    subprocess.run(command, check=True, timeout=300, stdin=subprocess.DEVNULL)
    return torch.load(folder / "result.pt")


def stock(size: int, steps: int, make, wrap=lambda net: DistributedDataParallel(net)):
    torch.manual_seed(0)
    start = Net()
    placed = [
        [(x.to(f"simgpu:{r}"), y.to(f"simgpu:{r}")) for r, (x, y) in enumerate(step)] for step in batches(size, steps)
    ]

    def work(rank: int) -> list[torch.Tensor]:
        net = wrap(copy.deepcopy(start).to(DEVICE))
        optimizer = make(net.parameters())
        for step in placed:
            x, y = step[rank]
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
        return [p.detach() for p in net.parameters()]

    return distributed.ranks(work, size)


@pytest.mark.parametrize("size", [2, 4])
def test_stock_data_parallel_trains_as_on_the_host(size: int):
    want = reference(size, 3, sgd)
    for got in stock(size, 3, sgd):
        torch.testing.assert_close([p.cpu() for p in got], want, rtol=1e-5, atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("make", [sgd, zero])
def test_stock_data_parallel_on_four_devices_is_equal_to_gloo_on_the_cpu(tmp_path, make):
    want = gloo(4, 3, tmp_path, make.__name__)
    for got in stock(4, 3, make):
        torch.testing.assert_close([p.cpu() for p in got], want, rtol=1e-4, atol=1e-5)


def test_stock_zero_redundancy_optimizer_trains_as_on_the_host():
    want = reference(4, 3, lambda parameters: torch.optim.Adam(parameters, lr=0.01))
    for got in stock(4, 3, zero):
        torch.testing.assert_close([p.cpu() for p in got], want, rtol=1e-4, atol=1e-5)


# ---- overlap, found without a clock


class DataParallel:
    """What a student would write: buckets from the last layer to the first, each reduced as soon as its gradients are there."""

    def __init__(self, net: nn.Module, most: int = 9000, asynchronous: bool = True) -> None:
        self.buckets, self.pending, self.asynchronous = [[]], [], asynchronous
        for p in reversed(list(net.parameters())):
            if sum(q.nbytes for q in self.buckets[-1]) + p.nbytes > most and self.buckets[-1]:
                self.buckets.append([])
            self.buckets[-1].append(p)
        self.left = [len(b) for b in self.buckets]
        for i, bucket in enumerate(self.buckets):
            for p in bucket:
                p.register_post_accumulate_grad_hook(lambda p, i=i: self.arrived(i))

    def arrived(self, i: int) -> None:
        self.left[i] -= 1
        if not self.left[i]:
            flat = torch.cat([p.grad.flatten() for p in self.buckets[i]])
            self.pending.append((i, flat, dist.all_reduce(flat, op=dist.ReduceOp.AVG, async_op=self.asynchronous)))

    def finish(self) -> None:
        for i, flat, work in self.pending:
            if work:
                work.wait()
            for p, part in zip(self.buckets[i], flat.split([p.numel() for p in self.buckets[i]]), strict=True):
                p.grad.copy_(part.view_as(p))


def one_step(kind: str):
    data = batches(2, 1)[0]

    def work(rank: int) -> None:
        torch.manual_seed(0)
        net = Net().to(DEVICE)
        if kind == "stock":
            net = DistributedDataParallel(net, bucket_cap_mb=0.005)
        else:
            parallel = DataParallel(net, asynchronous=kind == "own")
        x, y = (t.to(DEVICE) for t in data[rank])
        F.cross_entropy(net(x), y).backward()
        if kind != "stock":
            parallel.finish()

    return work


@pytest.mark.parametrize(("kind", "want"), [("own", 3), ("stock", 3), ("blocking", 1)])
def test_a_peer_that_joins_after_backward_has_returned_tells_overlap_from_none(kind: str, want: int):
    """With the all-reduces held, an asynchronous backward pass runs to its end; a synchronous one stops at its first bucket."""
    wait_everywhere()
    start, before = judge.state().log, judge.state().runs
    judge.hold_operations("all_reduce")
    distributed.ranks(one_step(kind), 2)
    judge.settle()
    ran = {r.number for r in judge.runs(before)}
    for device in range(2):
        backward = [
            e.number
            for e in judge.log(start)
            if e.name == "aten.tanh_backward.default" and e.stream == device * STREAMS
        ]
        assert len(backward) == 3
        assert sum(n in ran for n in backward) == want
    judge.release()
    wait_everywhere()


def test_a_buffer_that_was_waited_for_orders_no_later_backward_pass():
    """A bucket that is filled again in the next pass: no stream waits for the bucket that is on its way."""

    def work(rank: int) -> None:
        net, buffers, handles = nets[rank], {}, []

        def arrived(p: torch.Tensor) -> None:
            buffers.setdefault(p, torch.zeros_like(p)).copy_(p.grad)
            handles.append(dist.all_reduce(buffers[p], async_op=True))

        for p in net.parameters():
            p.register_post_accumulate_grad_hook(arrived)
        x, y = data[rank]
        for _ in range(2):
            F.cross_entropy(net(x), y).backward()
            while handles:
                handles.pop().wait()
            net.zero_grad()

    nets = [Net().to(f"{DEVICE}:{rank}") for rank in range(2)]  # an upload is a wait
    data = [[t.to(f"{DEVICE}:{rank}") for t in pair] for rank, pair in enumerate(batches(2, 1)[0])]
    _, log = held(lambda: distributed.ranks(work, 2))
    for device in range(2):
        default = [e for e in log if e.is_command and e.stream == device * STREAMS]
        tanh = [i for i, e in enumerate(default) if e.name == "aten.tanh_backward.default"]
        assert len(tanh) == 6
        assert "stream wait" not in [e.kind for e in default[tanh[3] : tanh[5]]]


def backward_with_hooks(hook) -> list:
    """The log of a backward pass of two ranks, with a hook for each parameter; all is held."""

    def work(rank: int) -> None:
        x, y = data[rank]
        F.cross_entropy(nets[rank](x), y).backward()
        for handle in handles[rank]:
            handle.wait()

    nets = [Net().to(f"{DEVICE}:{rank}") for rank in range(2)]
    data = [[t.to(f"{DEVICE}:{rank}") for t in pair] for rank, pair in enumerate(batches(2, 1)[0])]
    handles = [[], []]
    for net, mine in zip(nets, handles, strict=True):
        for p in net.parameters():
            p.register_post_accumulate_grad_hook(lambda p, mine=mine: hook(p, mine))
    _, log = held(lambda: distributed.ranks(work, 2))
    return log


@pytest.mark.cuda(
    "a hook must wait for a collective before it uses the result; otherwise there is a race",
    "docs.pytorch.org/docs/stable/distributed.html#synchronous-and-asynchronous-collective-operations",
    "the same",
)
@pytest.mark.parametrize("waits", [False, True])
def test_a_hook_that_uses_a_result_under_way_races_and_is_not_held_up(waits: bool):
    def hook(p: torch.Tensor, handles: list) -> None:
        handles.append(dist.all_reduce(p.grad, async_op=True))
        if waits:
            handles[-1].wait()
        p.grad.div_(2)

    log = backward_with_hooks(hook)
    found = {(race.kind, race.name) for race in races.find(log)}
    assert found == (set() if waits else {("access", "aten.div_.Tensor")})
    for device in range(2):
        default = [e for e in log if e.is_command and e.stream == device * STREAMS]
        last = max(i for i, e in enumerate(default) if e.name == "aten.tanh_backward.default")
        assert ("stream wait" in [e.kind for e in default[:last]]) == waits


@pytest.mark.parametrize("stock_hook", [default_hooks.allreduce_hook, default_hooks.fp16_compress_hook])
def test_a_callback_of_a_collective_runs_behind_it_and_beside_the_backward_pass(stock_hook):
    """What `then` is given launches on a stream of its own, as on CUDA."""

    def work(rank: int) -> list[torch.Tensor]:
        net = DistributedDataParallel(nets[rank], bucket_cap_mb=0.005)
        net.register_comm_hook(None, stock_hook)
        x, y = data[rank]
        F.cross_entropy(net(x), y).backward()
        return [p.grad for p in net.parameters()]

    torch.manual_seed(0)
    start = Net()
    nets = [copy.deepcopy(start).to(f"{DEVICE}:{rank}") for rank in range(2)]
    host = batches(2, 1)[0]
    data = [[t.to(f"{DEVICE}:{rank}") for t in pair] for rank, pair in enumerate(host)]
    wait_everywhere()
    first, before = judge.state().log, judge.state().runs
    judge.hold_operations("all_reduce")
    results = distributed.ranks(work, 2)
    judge.settle()
    log, ran = judge.log(first), {r.number for r in judge.runs(before)}
    tanh = [e.number for e in log if e.name == "aten.tanh_backward.default" and e.stream == 0]
    assert len(tanh) == 3 and set(tanh) <= ran
    judge.release()
    wait_everywhere()
    assert races.find(log) == []
    parts = []
    for x, y in host:
        start.zero_grad()
        F.cross_entropy(start(x), y).backward()
        parts.append([p.grad.clone() for p in start.parameters()])
    want = [sum(grads) / 2 for grads in zip(*parts, strict=True)]
    for got in results:
        torch.testing.assert_close([g.cpu() for g in got], want, rtol=2e-3, atol=1e-4)


def test_a_rank_with_a_full_queue_holds_up_no_other_rank():
    """Its queue runs empty only when the others join, and they join only when they are not held up."""

    def stuck(start: int) -> bool:
        return judge.state().pending_commands > 650 or any(e.kind == "full" for e in judge.log(start))

    def work(rank: int) -> None:
        for _ in range(4):  # whatever the count of commands
            x, start = full(3, rank), judge.state().log if rank == 1 else 0  # only one thread may send requests
            begin.wait()
            while rank == 1 and not stuck(start):
                pass
            for _ in range(600 * rank):
                x.add_(1)
            dist.all_reduce(x)
            for _ in range(700 * (1 - rank)):
                x.add_(1)
            dist.all_reduce(x)
            x.sum().item()

    begin = threading.Barrier(2)
    host = threading.Thread(target=distributed.ranks, args=(work, 2), daemon=True)
    host.start()
    host.join(60)
    assert not host.is_alive()


def test_a_host_that_waits_inside_the_backward_pass_stands_in_the_log():
    def work(rank: int) -> None:
        t = full(3, rank)
        dist.all_reduce(t, async_op=True).wait()
        gpu.current_stream().synchronize()

    start = judge.state().log
    distributed.ranks(work, 2)
    assert [e.name for e in judge.log(start) if e.is_wait] == ["stream.synchronize"] * 2


@pytest.mark.parametrize(
    ("work", "said"),
    [
        (lambda net: DistributedDataParallel(net, find_unused_parameters=True), "find_unused_parameters=True"),
        (lambda net: DistributedDataParallel(net, static_graph=True), "static_graph=True"),
        (lambda net: dist.all_reduce(full(2, 1), op=dist.ReduceOp.BAND), "the reduction BAND is not simulated"),
        (lambda net: functional.all_reduce(full(2, 1), "sum", dist.group.WORLD), "DTensor and FSDP are not simulated"),
    ],
    ids=["unused parameters", "a static graph", "a reduction of bits", "a functional collective"],
)
def test_what_is_missing_is_refused_by_name(work, said: str):
    def rank(number: int) -> None:
        with pytest.raises(NotImplementedError, match=f"^simgpu: .*{said}"):
            work(nn.Linear(2, 2).to(DEVICE))
        DistributedDataParallel(nn.Linear(2, 2).to(DEVICE))(full(2, 1)).sum().backward()

    distributed.ranks(rank, 2)
