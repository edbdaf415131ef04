"""The caching allocator: counted when an operation is enqueued, given back when Python lets go."""

import gc
import os
import subprocess
import sys

import pytest
import torch
from device import DEVICE, gpu, judge, number, on, ready, wait_everywhere, waits
from simgpu.device.allocator import Allocator, OutOfMemory
from simgpu.front.link import link

import simgpu

MODULE = "docs.pytorch.org/docs/stable/notes/cuda.html#memory-management"
MiB = 1 << 20


def allocated(device: int = 0) -> int:
    return gpu.memory_allocated(device)


@pytest.mark.cuda(
    "`memory_allocated` falls when Python frees the last tensor that uses a block of memory",
    MODULE,
    "the same; the device process counts",
)
def test_memory_falls_when_python_lets_go():
    gc.collect()
    gpu.synchronize()
    before, storages = allocated(), judge.state().storages
    x = torch.ones(256, 1024, device=DEVICE, requires_grad=True)
    view = x.detach()[3:5]
    assert allocated() - before == MiB
    y = (x.exp() * 2).sin()
    assert allocated() - before == 4 * MiB
    y.sum().backward()
    del y
    gpu.synchronize()
    assert allocated() - before == 2 * MiB
    del x
    assert allocated() - before == MiB
    del view
    gc.collect()
    assert allocated() == before
    assert judge.state().storages == storages
    assert judge.memory()["allocated"] == before


@pytest.mark.cuda("`max_memory_allocated` is the peak since the last reset", MODULE, "the same")
def test_the_peak_is_kept_until_it_is_reset():
    gpu.reset_peak_memory_stats()
    before = allocated()
    x = torch.ones(4, 256, 1024, device=DEVICE)
    del x
    assert allocated() == before
    assert gpu.max_memory_allocated() == before + 4 * MiB
    gpu.reset_peak_memory_stats()
    assert gpu.max_memory_allocated() == before


@pytest.mark.cuda(
    "freed memory stays reserved until `empty_cache`, as `memory_reserved` and `memory_summary` show",
    MODULE,
    "the same; a request of up to 1 MiB reserves 2 MiB, one of up to 10 MiB reserves 20 MiB, and a larger one is rounded up to a multiple of 2 MiB",
)
def test_freed_memory_stays_reserved_until_the_cache_is_emptied():
    gc.collect()
    wait_everywhere()
    gpu.empty_cache()
    before = gpu.memory_reserved()
    x = torch.empty(31 * MiB, dtype=torch.uint8, device=DEVICE)
    assert gpu.memory_reserved() - before == 32 * MiB
    del x
    assert gpu.memory_reserved() - before == 32 * MiB
    gpu.empty_cache()
    assert gpu.memory_reserved() == before
    assert gpu.mem_get_info() == (gpu.mem_get_info()[1] - before, gpu.mem_get_info()[1])
    assert "Reserved memory" in gpu.memory_summary()
    assert gpu.memory_stats()["reserved_bytes.all.current"] == before


@pytest.mark.cuda(
    "a full device raises `OutOfMemoryError` at once", MODULE, "the same; fragmentation never causes this error"
)
def test_a_full_device_raises_out_of_memory_at_once_and_goes_on():
    size = gpu.mem_get_info()[1]
    judge.hold()
    with pytest.raises(torch.OutOfMemoryError, match="Tried to allocate"):
        torch.empty(size + 1, dtype=torch.uint8, device=DEVICE)
    x = torch.empty(size * 2 // 3, dtype=torch.uint8, device=DEVICE)
    with pytest.raises(torch.OutOfMemoryError, match=r"simgpu:0 has a total capacity of"):
        x + x
    del x
    again = torch.empty(size * 2 // 3, dtype=torch.uint8, device=DEVICE)
    assert allocated() >= size * 2 // 3
    del again
    judge.release()


def test_errors_of_a_full_device_are_counted_until_the_sums_are_reset():
    def ooms(device: int) -> int:
        return gpu.memory_stats(device)["num_ooms"]

    before = ooms(0), ooms(1)
    for _ in range(2):
        with pytest.raises(torch.OutOfMemoryError):
            torch.empty(gpu.mem_get_info()[1] + 1, dtype=torch.uint8, device=DEVICE)
    assert (ooms(0), ooms(1)) == (before[0] + 2, before[1])
    gpu.reset_accumulated_memory_stats(0)
    assert ooms(0) == 0


@pytest.mark.cuda("each device has its own memory", MODULE, "the same")
def test_memory_is_of_one_device():
    gc.collect()
    before = [allocated(d) for d in range(4)]
    x = torch.ones(256, 1024, device="simgpu:2")
    y = x.to("simgpu:3")
    assert [allocated(d) - before[d] for d in range(4)] == [0, 0, MiB, MiB]
    with gpu.device(3):
        assert gpu.memory_allocated() == gpu.memory_allocated(3)
        assert gpu.max_memory_allocated("simgpu:3") >= MiB
    del x, y
    assert [allocated(d) for d in range(4)] == before


@pytest.mark.cuda("memory queries do not wait", MODULE, "the same")
def test_questions_about_memory_wait_for_nothing():
    x = ready(4)
    assert (
        waits(lambda: (x + 1, gpu.memory_allocated(), gpu.memory_reserved(), gpu.memory_summary(), gpu.empty_cache()))
        == []
    )


@pytest.mark.cuda(
    "a block that is freed while another stream uses it may be overwritten, unless `record_stream` was called",
    "docs.pytorch.org/docs/stable/generated/torch.Tensor.record_stream.html",
    "the next allocation that gets the block overwrites it",
)
@pytest.mark.parametrize("record", [False, True])
def test_a_block_freed_under_another_stream_is_overwritten_unless_recorded(record: bool):
    side = gpu.Stream()
    x = ready(4, value=3.0)
    judge.hold(stream=side.stream_id)
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        y = x * 2
    if record:
        x.record_stream(side)
    address = x.data_ptr()
    del x
    other = torch.zeros(4, device=DEVICE)
    assert (other.data_ptr() == address) is not record
    gpu.default_stream().synchronize()
    judge.release()
    side.synchronize()
    assert (y.tolist() == [6.0] * 4) is record


def test_of_blocks_that_became_one_only_what_is_given_out_again_is_overwritten():
    side = gpu.Stream()
    many = [ready(4, value=3.0) for _ in range(100)]
    addresses = [x.data_ptr() for x in many]
    judge.hold(stream=side.stream_id)
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        read = [x * 2 for x in many]
    del many
    again = [torch.zeros(4, device=DEVICE) for _ in range(60)]
    taken = {x.data_ptr() for x in again}
    gpu.default_stream().synchronize()
    judge.release()
    side.synchronize()
    assert [y.tolist() == [6.0] * 4 for y in read] == [address not in taken for address in addresses]
    assert 0 < len(taken.intersection(addresses)) < 100


@pytest.mark.cuda(
    "copies that wait in the queue occupy pinned host memory, not device memory",
    "docs.pytorch.org/tutorials/intermediate/pinmem_nonblock.html",
    "the same",
)
def test_a_backlog_holds_pinned_memory_and_not_device_memory():
    def backlog(pin: bool, wait: bool) -> tuple[int, int]:
        gc.collect()
        gpu.synchronize()
        gpu.reset_peak_memory_stats()
        pinned, device = gpu.host_memory_allocated(), allocated()
        judge.hold_until_waited_for()
        total = torch.zeros((), device=DEVICE)
        for _ in range(12):
            batch = torch.ones(256, 1024)
            total += (batch.pin_memory() if pin else batch).to(DEVICE, non_blocking=True).sum()
            if wait:
                gpu.current_stream().synchronize()
        judge.release()
        gpu.synchronize()
        assert total.item() == 12 * 256 * 1024
        return gpu.host_memory_allocated() - pinned, gpu.max_memory_allocated() - device

    backlog(True, True)
    held = backlog(True, False)
    assert held[0] >= 10 * MiB
    assert held[1] <= 3 * MiB
    assert backlog(True, True)[0] == 0
    assert backlog(False, False)[0] == 0


@pytest.mark.cuda(
    "a copy from pinned memory reads it when the copy runs, not when it is enqueued",
    "docs.pytorch.org/tutorials/intermediate/pinmem_nonblock.html",
    "the same",
)
def test_pinned_memory_copies_when_the_copy_runs():
    host = torch.ones(1000).pin_memory()
    assert host.is_pinned()
    assert not torch.ones(3).is_pinned()
    gpu.synchronize()
    judge.hold()
    x = host.to(DEVICE, non_blocking=True)
    host.fill_(5)
    back = x.to("cpu", non_blocking=True)
    back.fill_(-1)
    judge.release()
    gpu.synchronize()
    assert x[0].item() == 5
    assert back.sum() == 5000
    assert back.is_pinned()


def test_pinned_blocks_are_used_again_once_their_copies_have_run():
    def copies() -> list[torch.Tensor]:
        return [torch.ones(100_000).pin_memory().to(DEVICE, non_blocking=True) for _ in range(4)]

    gpu.synchronize()
    judge.hold()
    held = copies()
    before = gpu.host_memory_allocated()
    judge.release()
    gpu.synchronize()
    again = [
        torch.ones(100_000).pin_memory().to(DEVICE, non_blocking=True) for _ in range(4) if gpu.synchronize() is None
    ]
    assert gpu.host_memory_allocated() == before
    assert all(t[0].item() == 1 for t in held + again)


def test_pinned_blocks_are_used_again_while_later_work_is_held_and_each_has_one_open_file():
    x, side = torch.ones(100_000, device=DEVICE), gpu.Stream()
    side.wait_stream(gpu.current_stream())

    def copies() -> None:
        with gpu.stream(side):
            hosts = [x.to("cpu", non_blocking=True) for _ in range(6)]
        gpu.synchronize()
        assert all(host[0].item() == 1 for host in hosts)

    copies()
    before, files = gpu.host_memory_allocated(), len(os.listdir("/proc/self/fd"))
    judge.hold_until_waited_for()
    _later = x + 1  # in another stream, after the numbers of all those copies
    copies()
    assert gpu.host_memory_allocated() == before
    more = [torch.ones(100_000).pin_memory() for _ in range(16)]
    assert len(os.listdir("/proc/self/fd")) - files <= len(more)


def test_small_pinned_tensors_share_segments_and_keep_their_own_values():
    files, before = len(os.listdir("/proc/self/fd")), gpu.host_memory_allocated()
    judge.hold()
    hosts = [torch.full((n,), float(n)).pin_memory() for n in range(1, 300)]
    copies = [host.to(DEVICE, non_blocking=True) for host in hosts]
    assert len(os.listdir("/proc/self/fd")) - files <= 8
    assert gpu.host_memory_allocated() - before <= 8 * 64 * 4096
    judge.release()
    assert all(host.is_pinned() and (host == n).all() for n, host in enumerate(hosts, 1))
    assert all((copy.cpu() == n).all() for n, copy in enumerate(copies, 1))


def test_a_judges_request_has_a_whole_device_whatever_is_held_there():
    size = gpu.mem_get_info()[1]
    held = torch.empty(size * 2 // 3, dtype=torch.uint8, device=DEVICE)
    with pytest.raises(torch.OutOfMemoryError):
        torch.empty(size * 2 // 3, dtype=torch.uint8, device=DEVICE)
    judge.count()
    link().begin_request()
    more = torch.empty(size * 2 // 3, dtype=torch.uint8, device=DEVICE)
    with pytest.raises(torch.OutOfMemoryError, match="Tried to allocate"):
        torch.empty(size * 2 // 3, dtype=torch.uint8, device=DEVICE)
    assert gpu.mem_get_info()[0] < size // 2
    gpu.synchronize()  # the device agrees
    link().end_request()
    del more
    with pytest.raises(torch.OutOfMemoryError):
        torch.empty(size * 2 // 3, dtype=torch.uint8, device=DEVICE)
    del held
    judge.count()


SMALL = """
import torch, simgpu

def pinned(mib):
    return torch.empty(mib << 20, dtype=torch.uint8).pin_memory()

def refused(mib):
    try:
        pinned(mib)
    except torch.OutOfMemoryError as error:
        return "of pinned host memory" in str(error)

def same(host):
    there = host.to("simgpu")
    return torch.equal(there.cpu(), host) and torch.equal((there.mT + 1).cpu(), host.mT + 1)

gpu = torch.get_device_module("simgpu")
host = torch.arange(5 * 1025 * 1023, dtype=torch.float64).view(5, 1025, 1023)
print(same(host), same(host[:3] + 1), same(host[0]), gpu.host_memory_allocated() <= 16 << 20)
kept = [pinned(3) for _ in range(4)]
print(refused(3), refused(100), same(host))
print(kept[0].fill_(7).to("simgpu", non_blocking=True).sum().item() == 21 << 20)
del kept[:]
kept = [pinned(1)]
print(pinned(11).is_pinned(), gpu.host_memory_allocated() == 12 << 20, refused(17))
kept += [pinned(1) for _ in range(15)]
start = simgpu.control().state().log
there = host.to("simgpu")
there.mT.copy_(host.mT * 2)
print(torch.equal(there.cpu(), host * 2), {e.kind for e in simgpu.control().log(start)} & {"h2d", "d2h"})
"""


@pytest.mark.cuda(
    "when pinned memory runs out, `pin_memory` raises an error, and copies of pageable memory still work",
    "docs.pytorch.org/docs/stable/generated/torch.Tensor.pin_memory.html",
    "unused blocks are freed first; then `torch.OutOfMemoryError` is raised. CUDA's own message names `cudaHostAlloc`",
)
def test_pinned_memory_that_has_run_out_is_an_error_and_pageable_copies_go_on():
    """Of 16 MiB, with copies of 41."""
    environment = dict(os.environ, SIMGPU_DEVICE_OPTIONS="--pinned 16777216")
    done = subprocess.run([sys.executable, "-c", SMALL], env=environment, capture_output=True, text=True, timeout=300)
    lines = ["True True True True", "True True True", "True", "True True True", "True set()"]
    assert done.stdout.splitlines() == lines, done.stderr


def test_polling_pinned_memory_gets_nothing_that_nobody_waits_for():
    gpu.synchronize()
    judge.hold_until_waited_for()
    back = torch.zeros(4).pin_memory()
    back.copy_(torch.ones(4, device=DEVICE), non_blocking=True)
    assert judge.settle().pending_commands == 2
    assert back.sum() == 0
    gpu.synchronize()
    assert back.sum() == 4


def test_on_counts_a_tensor_of_another_device():
    assert on(1, 3).device.index == 1


# ---- the allocator alone


def test_neighbors_are_joined_and_split_again():
    allocator = Allocator(0, 64 * MiB)
    blocks = [allocator.malloc(512 * 1024, 0) for _ in range(4)]
    assert len({b.segment for b in blocks}) == 1
    for block in (blocks[0], blocks[2], blocks[1], blocks[3]):
        allocator.forget(512 * 1024)
        allocator.free(block)
    assert allocator.usage.allocated == 0
    allocator.empty_cache()
    assert allocator.usage.reserved == 0


def test_blocks_are_not_shared_between_streams():
    allocator = Allocator(0, 64 * MiB)
    one = allocator.malloc(1000, 0)
    allocator.forget(1000)
    allocator.free(one)
    assert allocator.malloc(1000, 1).segment != one.segment
    assert allocator.malloc(1000, 0).address == one.address


def test_fragmentation_never_exhausts_the_device():
    allocator = Allocator(0, 8 * MiB)
    kept = [allocator.malloc(MiB, n) for n in range(8)]
    assert allocator.usage.allocated == 8 * MiB
    with pytest.raises(OutOfMemory):
        allocator.malloc(1, 0)
    assert len({b.address for b in kept}) == 8


FACTORIES = {
    "empty": lambda **more: torch.empty(3, 4, **more),
    "empty_strided": lambda **more: torch.empty_strided((3, 4), (4, 1), **more),
    "zeros": lambda **more: torch.zeros(3, **more),
    "ones": lambda **more: torch.ones(3, 4, dtype=torch.float64, **more),
    "full": lambda **more: torch.full((3,), 2.0, **more),
    "tensor": lambda **more: torch.tensor([1.0, 2.0], **more),
    "eye": lambda **more: torch.eye(3, **more),
    "arange": lambda **more: torch.arange(5, **more),
    "linspace": lambda **more: torch.linspace(0, 1, 5, **more),
    "logspace": lambda **more: torch.logspace(0, 1, 5, **more),
    "rand": lambda **more: torch.rand(3, **more),
    "randn": lambda **more: torch.randn(3, **more),
    "randint": lambda **more: torch.randint(9, (3,), **more),
    "randperm": lambda **more: torch.randperm(9, **more),
    "normal": lambda **more: torch.normal(0.0, 1.0, (3,), **more),
    "zeros_like": lambda **more: torch.zeros_like(torch.rand(3), **more),
    "rand_like": lambda **more: torch.rand_like(torch.rand(3), **more),
    "full_like": lambda **more: torch.full_like(torch.rand(3), 1, **more),
    "new_zeros": lambda **more: torch.rand(3).new_zeros(2, **more),
}


def test_what_was_let_go_of_is_told_before_the_judge_reads():
    x = ready(300, 300)
    y, storages = x + 1, judge.state().storages
    before, start = judge.memory()["allocated"], judge.state().log
    freed = number(y)
    del y
    assert judge.memory()["allocated"] == before - 300 * 300 * 4 // 512 * 512 - 512
    assert judge.state().storages == storages - 1
    assert [(e.kind, e.writes) for e in judge.log(start)] == [("free", (freed,))]


def test_a_judge_elsewhere_reads_it_after_a_flush():
    elsewhere = simgpu.Control(judge.sock)
    y = ready(300, 300)
    before = elsewhere.memory()["allocated"]
    del y
    assert elsewhere.memory()["allocated"] == before  # not reported yet
    simgpu.flush()
    assert elsewhere.memory()["allocated"] < before


@pytest.mark.cuda(
    "factories such as `empty` take `pin_memory=True`",
    "docs.pytorch.org/docs/stable/generated/torch.empty.html",
    "the same: the tensor is made and then pinned. For a tensor on the device, CUDA's error",
)
@pytest.mark.parametrize("name", FACTORIES)
def test_factories_make_pinned_memory(name: str):
    torch.manual_seed(1)
    plain = FACTORIES[name]()
    torch.manual_seed(1)
    pinned = FACTORIES[name](pin_memory=True)
    assert pinned.is_pinned()
    assert not FACTORIES[name](pin_memory=False).is_pinned()
    if not name.startswith("empty"):
        assert torch.equal(pinned, plain)
    assert waits(lambda: pinned.to(DEVICE, non_blocking=True)) == []


def test_pinned_factories_keep_what_else_is_said():
    made = torch.zeros(2, requires_grad=True, pin_memory=True)
    assert made.is_leaf
    assert made.requires_grad
    with pytest.raises(RuntimeError, match="Only dense CPU tensors can be pinned"):
        torch.zeros(3, device=DEVICE, pin_memory=True)


def test_activations_are_kept_in_pinned_memory():
    p = ready(3, 3, value=2.0).requires_grad_()
    with torch.autograd.graph.save_on_cpu(pin_memory=True):
        y = (p * p).sum()
    y.backward()
    assert p.grad.sum().item() == 36


def test_factories_in_a_compiled_function_break_no_graph():
    graphs = []

    def backend(graph, example):
        graphs.append(graph)
        return graph.forward

    def function(x):
        return x + torch.zeros(3) + torch.ones_like(x) + torch.full((3,), 2.0) + torch.tensor(1.0)

    assert torch.compile(function, backend=backend, fullgraph=True)(torch.ones(3)).tolist() == [5.0] * 3
    assert len(graphs) == 1
