"""Programs of ranks, right and wrong, and what each must give: ``python distributed_programs.py`` runs them all.

One line of JSON before each run and one after it, so that a run that hangs is known by name.
"""

import json
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
import torch.distributed as dist
from torch.distributed import P2POp, batch_isend_irecv, irecv, isend  # before simgpu is imported, as in notebooks

import simgpu
from simgpu import distributed

gpu = simgpu.install()
judge = simgpu.control()
coalescing = dist.distributed_c10d._coalescing_manager


class Program(NamedTuple):
    """What a rank does, and what must come of it for so many ranks: the value of each, or what the error says."""

    work: Callable[[int, int], Any]
    want: Callable[[int], Any]


PROGRAMS: dict[str, Program] = {}


def gives(want: Callable[[int], Any]):
    def keep(work: Callable[[int, int], Any]):
        PROGRAMS[work.__name__] = Program(work, want)
        return work

    return keep


def fails(text: str):
    return gives(lambda n: text)


def each(value: Callable[[int, int], Any]):
    """The values of all ranks."""
    return gives(lambda n: [value(r, n) for r in range(n)])


def full(value: float, count: int = 2) -> torch.Tensor:
    return torch.full((count,), float(value), device="simgpu")


def both(first: str, r: int, n: int) -> list[float]:
    x, y = full(r), full(-1)
    calls = [lambda: dist.send(x, (r + 1) % n), lambda: dist.recv(y, (r - 1) % n)]
    for call in calls if first == "send" else reversed(calls):
        call()
    return y.tolist()


def batch(*operations: P2POp) -> None:
    for work in batch_isend_irecv(list(operations)):
        work.wait()


# ---- sends and receives that meet


@each(lambda r, n: [(r - 1) % n] * 2)
def ring_of_even_and_odd(r: int, n: int):
    return both("recv" if r % 2 else "send", r, n)


@each(lambda r, n: [(r - 1) % n] * 2)
def ring_in_a_batch(r: int, n: int):
    x, y = full(r), full(-1)
    batch(P2POp(isend, x, (r + 1) % n), P2POp(irecv, y, (r - 1) % n))
    return y.tolist()


@each(lambda r, n: [(r - 1) % n] * 2)
def ring_in_a_batch_receives_first(r: int, n: int):
    x, y = full(r), full(-1)
    batch(P2POp(irecv, y, (r - 1) % n), P2POp(isend, x, (r + 1) % n))
    return y.tolist()


@each(lambda r, n: [(r - 1) % n] * 2)
def ring_in_a_coalescing_manager(r: int, n: int):
    x, y = full(r), full(-1)
    with coalescing(device=x.device, async_ops=True) as manager:
        isend(x, (r + 1) % n)
        irecv(y, (r - 1) % n)
    manager.wait()
    return y.tolist()


@each(lambda r, n: [[10 * p + r] * 2 for p in range(n)])
def all_with_all_in_a_batch(r: int, n: int):
    """The rank itself is one of them."""
    ys = [full(-1) for _ in range(n)]
    sends = [P2POp(isend, full(10 * r + p), p) for p in range(n)]
    batch(*sends, *(P2POp(irecv, y, p) for p, y in enumerate(ys)))
    return [y.tolist() for y in ys]


@each(lambda r, n: [[10, 11], [0, 1], [-1, -1]][r])
def many_tensors_in_a_batch(r: int, n: int):
    """Between one pair of ranks they meet in their order."""
    ys = [full(-1, 1), full(-1, 1)]
    if r < 2:
        sends = [P2POp(isend, full(10 * r + i, 1), 1 - r) for i in range(2)]
        batch(*sends, *(P2POp(irecv, y, 1 - r) for y in ys))
    return [y.item() for y in ys]


@each(lambda r, n: 7.0)
def one_sends_to_all_in_a_batch_and_they_receive_alone(r: int, n: int):
    y = full(7)
    if r == 0:
        batch(*(P2POp(isend, y, p) for p in range(1, n)))
    else:
        dist.recv(y.zero_(), 0)
    return y[0].item()


@each(lambda r, n: [3, 4] if n == 3 and r == 2 else [1, 2])
def a_batch_goes_on_part_by_part(r: int, n: int):
    """Rank 2 takes rank 0's part only after rank 1 has got its own and sent on."""
    x, y = full(1, 1), full(2, 1)
    if n == 2:
        return [x.item(), y.item()]
    if r == 0:
        batch(P2POp(isend, full(4, 1), 2), P2POp(isend, full(3, 1), 1))
    elif r == 1:
        z = full(0, 1)
        batch(P2POp(irecv, z, 0))
        batch(P2POp(isend, z, 2))
    else:
        batch(P2POp(irecv, x, 1))
        batch(P2POp(irecv, y, 0))
    return [x.item(), y.item()]


@each(lambda r, n: [1.0, 2.0])
def tags_in_another_order_in_a_batch(r: int, n: int):
    a, b = full(1, 1), full(2, 1)
    if r == 0:
        batch(P2POp(isend, a, 1, tag=1), P2POp(isend, b, 1, tag=2))
    elif r == 1:
        batch(P2POp(irecv, b.zero_(), 0, tag=2), P2POp(irecv, a.zero_(), 0, tag=1))
    return [a.item(), b.item()]


@each(lambda r, n: 5.0)
def a_rank_sends_to_itself_in_a_batch(r: int, n: int):
    y = full(0)
    batch(P2POp(isend, full(5), r), P2POp(irecv, y, r))
    return y[0].item()


@gives(lambda n: "deadlock: .*rank 0 waits in send to rank 1" if n == 2 else [[2.0] * 2, [0.0] * 2, [1.0] * 2])
def isend_and_irecv_without_a_batch(r: int, n: int):
    """Two ranks use one communicator of NCCL's for it, three ranks one for each pair."""
    x, y = full(r), full(-1)
    for work in (isend(x, (r + 1) % n), irecv(y, (r - 1) % n)):
        work.wait()
    return y.tolist()


# ---- sends and receives that do not meet


@fails(r"deadlock: no rank can continue: (?=.*rank 0 waits in send to rank 1)(?=.*rank 1 waits in send to rank)")
def all_send_first(r: int, n: int):
    return both("send", r, n)


@fails(r"deadlock: .*rank 1 waits in recv from rank 0.*belong in one batch_isend_irecv")
def all_receive_first(r: int, n: int):
    return both("recv", r, n)


@fails("deadlock: (?=.*rank 0 waits in recv from rank 1)(?=.*rank 0 has not called send to rank 1)")
def an_answer_waits_for_the_other(r: int, n: int):
    y = full(0)
    if r < 2:
        dist.recv(y, 1 - r)
        y.tolist()
        dist.send(y, 1 - r)


@fails("deadlock: .*rank 0 waits in send to rank 1")
def tags_in_another_order(r: int, n: int):
    a, b = full(1), full(2)
    if r == 0:
        dist.send(a, 1, tag=1), dist.send(b, 1, tag=2)
    elif r == 1:
        dist.recv(b, 0, tag=2), dist.recv(a, 0, tag=1)
    return a.tolist(), b.tolist()


@fails("rank 1 has ended and does not take part in this send")
def a_send_that_nobody_receives(r: int, n: int):
    if r == 0:
        dist.send(full(1), 1)
        gpu.synchronize()


@fails("rank 1 has ended and does not take part in this send")
def an_isend_that_nobody_receives_or_waits_for(r: int, n: int):
    if r == 0:
        isend(full(1), 1)


@fails("rank 1 has ended and does not take part in this send")
def a_receive_that_nobody_sends(r: int, n: int):
    y = full(1)
    if r == 0:
        dist.recv(y, 1)
    return y.tolist()


@fails("deadlock: (?=.*rank 0 waits in recv from rank 1)(?=.*rank 1 waits in all_reduce)")
def a_receive_while_the_sender_waits_elsewhere(r: int, n: int):
    y = full(1)
    dist.all_reduce(y) if r else dist.recv(y, 1)
    return y.tolist()


@fails("deadlock: .*in a batch with recv from rank 1|rank 1 has ended and does not take part in this send")
def a_batch_that_lacks_its_send(r: int, n: int):
    y = full(0)
    batch(P2POp(irecv, y, (r + 1) % n), *([P2POp(isend, full(1), 1)] if r == 0 else []))
    return y.tolist()


@fails("deadlock: .*rank 0 waits in send to rank 0")
def a_rank_sends_to_itself_without_a_batch(r: int, n: int):
    y = full(0)
    for work in (isend(full(5), r), irecv(y, r)):
        work.wait()
    return y.tolist()


@fails("destination rank should not be the same as the rank of the current process")
def a_blocking_send_to_itself(r: int, n: int):
    dist.send(full(1), r)


@fails("simgpu: recv and irecv need src")
def a_receive_from_anybody(r: int, n: int):
    dist.recv(full(1)) if r == 0 else dist.send(full(1), 0)


@fails(r"rank 0 sends float32 \[3\] and rank 1 receives float32 \[2\]: both need the same")
def a_receive_of_another_size(r: int, n: int):
    y = full(0, 3 - r)
    if r < 2:
        dist.recv(y, 0) if r else dist.send(y, 1)
    return y.tolist()


@fails(r"rank 0 sends float32 \[2\] and rank 1 receives int64 \[2\]")
def a_receive_of_another_dtype(r: int, n: int):
    y = full(0).long() if r else full(0)
    if r < 2:
        dist.recv(y, 0) if r else dist.send(y, 1)
    return y.tolist()


# ---- hosts that poll, and full queues


@fails("deadlock: (?=.*rank 0 waits in all_reduce)(?=.*rank 1 waits in recv from rank 0)")
def a_rank_polls_for_what_cannot_happen(r: int, n: int):
    x = full(1)
    if r:
        dist.recv(x, 0)
    else:
        work = dist.all_reduce(x, async_op=True)
        while not work.is_completed():
            pass
    return x.tolist()


@fails("deadlock: .*rank 0 waits in recv from rank 1")
def all_ranks_poll_for_what_cannot_happen(r: int, n: int):
    x = full(1)
    work = irecv(x, (r + 1) % n)
    while not work.is_completed():
        pass
    return x.tolist()


@each(lambda r, n: [n] * 2)
def a_rank_that_polls_is_answered(r: int, n: int):
    """It asks until the others, who wait for a word of the host's, have come."""
    x = full(1)
    if r == 0:
        batch(*(P2POp(isend, full(0), p) for p in range(1, n)))
        work = dist.all_reduce(x, async_op=True)
        while not work.is_completed():
            pass
    else:
        y = full(1)
        dist.recv(y, 0)
        y.tolist()
        dist.all_reduce(x)
    return x.tolist()


@fails("deadlock: .*rank 0 waits in recv from rank 1")
def full_launch_queues_behind_what_cannot_happen(r: int, n: int):
    x = full(1)
    dist.recv(x, (r + 1) % n)
    for _ in range(1200):
        x.add_(1)
    return x.tolist()


@fails("deadlock: .*rank 0 waits in recv from rank 1")
def an_event_behind_what_cannot_happen(r: int, n: int):
    side, event = gpu.Stream(), gpu.Event()
    with gpu.stream(side):
        dist.recv(full(1), (r + 1) % n)
    event.record(side)
    event.synchronize()


# ---- collectives


@each(lambda r, n: [[10 * p + r for p in range(n)]] * 2 + [sum(range(n)) if r == 0 else r, n * r])
def exchanges_and_reductions(r: int, n: int):
    single, parts, reduced, mine = full(-1, n), [full(-1, 1) for _ in range(n)], full(r, 1), full(0, 1)
    dist.all_to_all_single(single, torch.arange(float(n), device="simgpu") + 10 * r)
    dist.all_to_all(parts, [full(10 * r + p, 1) for p in range(n)])
    dist.reduce(reduced, 0)
    dist.reduce_scatter(mine, [full(p, 1) for p in range(n)])
    return [single.tolist(), [p.item() for p in parts], reduced.item(), mine.item()]


@each(lambda r, n: [list(range(n)), list(range(n)) if r == 0 else [], r + 5, [0, 1]])
def gathers_and_scatters(r: int, n: int):
    everyone, root, mine, both = full(-1, n), [full(-1, 1) for _ in range(n)], full(0, 1), full(r, 1)
    dist.all_gather_into_tensor(everyone, full(r, 1))
    dist.gather(full(r, 1), root if r == 0 else None, dst=0)
    dist.scatter(mine, [full(p + 5, 1) for p in range(n)] if r == 1 else None, src=1)
    dist.broadcast(both, 1)
    return [everyone.tolist(), [t.item() for t in root] if r == 0 else [], mine.item(), [0, both.item()]]


@each(lambda r, n: [[n] * 2, [n]])
def all_reduces_in_a_coalescing_manager(r: int, n: int):
    xs = [full(1), full(1, 1)]
    with coalescing():
        for x in xs:
            dist.all_reduce(x)
    return [x.tolist() for x in xs]


@fails("simgpu: the operation c10d.allgather_coalesced_.default is not supported")
def a_coalesced_gather(r: int, n: int):
    dist.all_gather_coalesced([[full(0)] for _ in range(n)], [full(r)])


@each(lambda r, n: [[{"rank": p} for p in range(n)], ["of 1"], [10 + r], list(range(n)) if r == 0 else None])
def collectives_of_objects(r: int, n: int):
    everyone, said, mine, root = [None] * n, [f"of {r}"], [None], [None] * n if r == 0 else None
    dist.all_gather_object(everyone, {"rank": r})
    dist.broadcast_object_list(said, src=1)
    dist.scatter_object_list(mine, [10 + p for p in range(n)] if r == 0 else None, src=0)
    dist.gather_object(r, root, dst=0)
    return [everyone, said, mine, root]


@fails("rank 0 has ended and does not take part in this broadcast")
def a_list_of_objects_that_the_root_does_not_send(r: int, n: int):
    if r:
        dist.broadcast_object_list([None], src=0)


@each(lambda r, n: [{"a": 1}] if r < 2 else [None])
def objects_from_rank_to_rank(r: int, n: int):
    said = [None] if r else [{"a": 1}]
    if r < 2:
        dist.recv_object_list(said, src=0) if r else dist.send_object_list(said, dst=1)
    return said


@fails("rank [12] has ended and does not take part in this all_reduce")
def a_barrier_to_which_one_comes(r: int, n: int):
    if r == 0:
        dist.barrier()


@fails("deadlock: .*rank 0 waits in all_reduce.*rank 0 has not called send to rank 1")
def a_barrier_beside_a_receive(r: int, n: int):
    x = full(1)
    dist.recv(x, 0) if r else dist.barrier()
    return x.tolist()


@fails("monitored_barrier is only implemented for GLOO backend")
def a_monitored_barrier(r: int, n: int):
    dist.monitored_barrier()


@fails(
    r"rank 1 calls broadcast .* where rank \d calls all_reduce|rank \d calls all_reduce .* where rank 1 calls broadc"
)
def other_collectives(r: int, n: int):
    x = full(1)
    dist.broadcast(x, 1) if r == 1 else dist.all_reduce(x)
    return x.tolist()


@fails("rank [12] has ended and does not take part in this all_reduce")
def one_collective_more_by_one(r: int, n: int):
    x = full(1)
    for _ in range(1 if r else 2):
        dist.all_reduce(x)
    return x.tolist()


@each(lambda r, n: None)
def an_asynchronous_collective_that_nobody_waits_for(r: int, n: int):
    dist.all_reduce(full(1), async_op=True)


# ---- groups


def in_two_groups(r: int, asynchronous: bool) -> list[torch.Tensor]:
    groups, xs, works = [dist.new_group([0, 1]), dist.new_group([0, 1])], [full(1), full(1)], []
    for g in ((0, 1), (1, 0), ())[r]:
        works.append(dist.all_reduce(xs[g], group=groups[g], async_op=asynchronous))
    for work in works if asynchronous else ():
        work.wait()
    return xs


@fails("deadlock: (?=.*rank 0 waits in all_reduce)(?=.*rank 1 waits in all_reduce).*same order, also across groups")
def two_groups_in_another_order(r: int, n: int):
    return [x.tolist() for x in in_two_groups(r, asynchronous=False)]


@fails("deadlock: .*waits in all_reduce")
def two_groups_in_another_order_that_nobody_waits_for(r: int, n: int):
    in_two_groups(r, asynchronous=False)


@each(lambda r, n: [2 if r < 2 else 1] * 2)
def two_groups_in_another_order_on_streams_of_their_own(r: int, n: int):
    return [x[0].item() for x in in_two_groups(r, asynchronous=True)]


@fails("rank [01] has ended and does not take part in this all_reduce")
def a_group_that_one_rank_makes(r: int, n: int):
    if r == n % 2:
        x = full(1)
        dist.all_reduce(x, group=dist.new_group([0, 1]))
        return x.tolist()


@fails("rank 1 has ended and does not take part in this all_reduce")
def a_group_in_which_one_rank_calls(r: int, n: int):
    group, x = dist.new_group([0, 1]), full(1)
    if r == 0:
        dist.all_reduce(x, group=group)
    return x.tolist()


@each(lambda r, n: 2 if r < 2 else 1)
def a_collective_by_ranks_outside_the_group(r: int, n: int):
    group, x = dist.new_group([0, 1]), full(1)
    dist.all_reduce(x, group=group)
    return x[0].item()


@fails("deadlock: .*rank (1 waits in send to rank 0|2 waits in send to rank 1)")
def sends_first_in_a_group_of_the_last_two(r: int, n: int):
    """The sentence has the numbers of the world."""
    group, x = dist.new_group([n - 2, n - 1]), full(1)
    if r >= n - 2:
        dist.send(x, 2 * n - 3 - r, group=group)
        dist.recv(x, 2 * n - 3 - r, group=group)
    return x.tolist()


@fails("rank 0 has ended and does not take part in this all_reduce")
def a_rank_that_leaves_the_group(r: int, n: int):
    if r == 0:
        dist.destroy_process_group()
        return None
    x = full(1)
    dist.all_reduce(x)
    return x.tolist()


@fails("lost my way")
def a_rank_that_dies_while_the_others_are_in_a_batch(r: int, n: int):
    if r == 0:
        raise ValueError("lost my way")
    y = full(0)
    batch(P2POp(irecv, y, 0), P2POp(isend, full(1), 0))
    return y.tolist()


def run(work: Callable[[int, int], Any], size: int) -> dict[str, Any]:
    """What comes of a program, now or late."""
    result: dict[str, Any] = {}
    try:
        result["value"] = distributed.ranks(lambda rank: work(rank, size), size)
    except Exception as error:
        result["error"] = str(error)
    for _ in range(8):  # until everything that it left has arrived
        try:
            for device in range(gpu.device_count()):
                gpu.synchronize(device)
        except RuntimeError as error:
            result.setdefault("error", str(error))
    return result | {"meetings": judge.settle().meetings}


if __name__ == "__main__":
    for name, program in PROGRAMS.items():
        for size in (2, 3):
            print(json.dumps([name, size, None]), flush=True)
            print(json.dumps([name, size, run(program.work, size)]), flush=True)
    sys.exit()
