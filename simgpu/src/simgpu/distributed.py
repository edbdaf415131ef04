"""``torch.distributed`` over the logical devices.

A rank is a thread, and a collective is a command in the queues of the devices.

    def work(rank):
        dist.all_reduce(tensor, async_op=True).wait()      # the stream waits, the host does not

    simgpu.distributed.ranks(work, 4)     # as torch.multiprocessing.spawn, with init_process_group done

The device process exchanges the data and keeps the log; the ranks are its clients.
"""

import contextlib
import functools
import itertools
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.testing._internal.distributed import multi_threaded_pg  # PyTorch's own: a "world" for each thread

from simgpu.frames import Kind, json_message
from simgpu.front import state, threads, waiting_ranks
from simgpu.front.backward import stream_for
from simgpu.front.errors import DeviceLost
from simgpu.front.link import link
from simgpu.front.module import MODULE
from simgpu.front.streams import Event, Stream
from simgpu.front.tensor import SimTensor
from simgpu.front.waits import explicit_wait
from simgpu.wire import BATCH, COMMUNICATORS, STREAMS

REDUCTIONS = {
    dist.ReduceOp.SUM: "sum",
    dist.ReduceOp.AVG: "avg",
    dist.ReduceOp.MAX: "max",
    dist.ReduceOp.MIN: "min",
    dist.ReduceOp.PRODUCT: "product",
}
BACKEND = "simgpu"
PAIR = {"reduce": "sum", "root": 0, "op": "send", "size": 2}
_groups = itertools.count(1)


def _here(device: int) -> Stream:
    """Return the stream of this thread's launches, also in a backward pass."""
    return Stream(stream_id=stream_for(device, []))


class Results(torch.futures.Future):
    """The future of a collective: done at once, because a stream waits for the result, not the host.

    In a backward pass, the current stream waits only when the pass ends, so that the rest of the pass overlaps
    (DistributedDataParallel depends on this); outside a backward pass it waits at once.
    """

    def __init__(self, device: int, end: Event, value: Any) -> None:
        super().__init__()
        self.device, self.end = device, end
        self.set_result(value)
        if torch._C._current_graph_task_id() != -1:
            torch.autograd.Variable._execution_engine.queue_callback(self.wait)  # type: ignore[attr-defined]
        else:
            self.wait()

    def wait(self) -> Any:
        """Make the current stream wait, but not the host."""
        _here(self.device).wait_event(self.end)
        return self.value()

    def then(self, callback: Callable[..., Any]) -> "Results":  # type: ignore[override]
        """Return the result of the callback, which launches on its own stream after the exchange."""
        side = Stream(self.device)
        side.wait_event(self.end)
        with side:
            value = callback(self)
        return Results(self.device, side.record_event(), value)


class Work(dist.Work):
    """The result of ``async_op=True``: waiting makes the current stream wait, not the host."""

    def __init__(self, device: int, end: Event, result: list[torch.Tensor]) -> None:
        super().__init__()
        self.device, self.end, self.results = device, end, result

    def wait(self, timeout: Any = None) -> bool:
        """Make the current stream wait from here on. Returns at once."""
        _here(self.device).wait_event(self.end)
        return True

    def synchronize(self) -> None:
        """The same."""
        self.wait()

    def is_completed(self) -> bool:
        """Whether all ranks have arrived and the exchange has run."""
        return self.end.query()

    def is_success(self) -> bool:
        """Whether it has completed; errors are reported at the next wait for the device."""
        return self.is_completed()

    def result(self) -> list[torch.Tensor]:
        """The tensors that it writes."""
        return self.results

    def get_future(self) -> "torch.futures.Future[Any]":
        """The future of the tensors that the exchange writes."""
        return Results(self.device, self.end, self.results)


class Batch:
    """Sends and receives that become one command, as between ``ncclGroupStart`` and ``ncclGroupEnd``.

    Attributes:
        size: How many there will be; None if ``_end_coalescing`` says when they are all there.
        parts: The device's data on each.
        end: All of them wait for this.
    """

    def __init__(self, size: int | None) -> None:
        self.size, self.parts, self.end = size, list[dict[str, Any]](), Event()
        self.device: int | None = None


class Group(dist.ProcessGroup):
    """One rank's end of a communicator."""

    def __init__(self, store: Any, rank: int, size: int, timeout: Any = None) -> None:
        super().__init__(rank, size)
        if waiting_ranks.LOCAL.rank is None:
            if size > 1:
                raise NotImplementedError(
                    "simgpu: the ranks of torch.distributed are threads of one process. "
                    f"Start them with simgpu.distributed.ranks(work, {size})."
                )
            waiting_ranks.LOCAL.rank = waiting_ranks.Rank(waiting_ranks.World(1), 0)
        self.here = waiting_ranks.LOCAL.rank
        name = f"{self.here.world.name}/{next(_groups)}"
        self.name = store.compare_set("simgpu group", "", name).decode()  # the name of the first rank to arrive
        self.sequence, self.pairs = itertools.count(1), dict[tuple[str, int], Any]()
        self.batch: Batch | None = None
        self.device: int | None = None  # of the last collective

    @functools.cached_property
    def members(self) -> list[int]:
        """The group's ranks in the world, in the group's order."""
        return dist.get_process_group_ranks(self)

    def _issue(
        self,
        opts: Any,
        op: str,
        ins: Sequence[torch.Tensor],
        outs: Sequence[torch.Tensor],
        reduce: Any = dist.ReduceOp.SUM,
        root: int = 0,
    ) -> Work:
        """Enqueue this rank's part of a collective.

        It runs on the communicator's stream or, without ``async_op``, on the current one, as with NCCL since 2.8.
        """
        places = _places(ins, outs)
        name = next((n for r, n in REDUCTIONS.items() if reduce == r), None)
        if name is None:
            told = next((n for n, r in dist.ReduceOp.RedOpType.__members__.items() if reduce == r), reduce)
            raise NotImplementedError(f"simgpu: the reduction {told} is not simulated")
        head = {
            "group": self.name,
            "sequence": next(self.sequence),
            "rank": self.rank(),
            "size": self.size(),
            "op": op,
            "reduce": name,
            "root": root,
        }
        for tensor in (*outs, *ins)[:1]:
            self.device = tensor.device.index
        device = MODULE.current_device() if self.device is None else self.device
        asynchronous = getattr(opts, "asyncOp", True)
        there = self._stream(self.name, device) if asynchronous else _here(device)
        end = self._enqueue(self._known(head) | places, there, Event())
        return Work(device, end, list(outs))

    def _known(self, head: dict[str, Any]) -> dict[str, Any]:
        """Return a part with the participants that the device needs to know."""
        return {"world": self.here.world.name, "members": self.members} | head

    def _stream(self, communicator: str, device: int) -> Stream:
        """Return the stream of a communicator; each rank numbers its communicators in the order of its calls."""
        place = self.here.communicators.setdefault(communicator, len(self.here.communicators))
        return Stream(stream_id=device * STREAMS + COMMUNICATORS[place % len(COMMUNICATORS)])

    def _enqueue(self, head: dict[str, Any], there: Stream, end: Event) -> Event:
        """Enqueue a command after this thread's launches; ``end`` is recorded after it."""
        self.here.goes_on()
        here = _here(there.device_index)
        if there != here:
            there.wait_stream(here)
        message = json_message(Kind.COLLECTIVE, head | {"stream": there.stream_id})
        link().post(Kind.COLLECTIVE, message, there.device_index)
        return there.record_event(end)

    def allreduce(self, tensors: Any, opts: Any = None) -> Work:
        """Every rank gets the reduction of all ranks' tensors."""
        return self._issue(opts, "all_reduce", tensors, tensors, opts.reduceOp if opts else dist.ReduceOp.SUM)

    allreduce_coalesced = allreduce

    def broadcast(self, tensors: Any, opts: Any = None) -> Work:
        """Every rank gets the root's."""
        return self._issue(opts, "broadcast", tensors, tensors, root=opts.rootRank)

    def allgather(self, outs: Any, ins: Any, opts: Any = None) -> Work:
        """Every rank gets every rank's."""
        return self._issue(opts, "all_gather", ins, outs[0])

    def reduce_scatter(self, outs: Any, ins: Any, opts: Any = None) -> Work:
        """Rank r gets the reduction of all ranks' r-th tensors."""
        return self._issue(opts, "reduce_scatter", ins[0], outs, opts.reduceOp)

    def all_gather_single(self, out: Any, tensor: Any, opts: Any = None) -> Work:
        """``allgather`` into one tensor."""
        return self._issue(opts, "all_gather", [tensor], list(out.chunk(self.size())))

    def reduce_scatter_single(self, out: Any, tensor: Any, opts: Any = None) -> Work:
        """``reduce_scatter`` of one tensor."""
        return self._issue(opts, "reduce_scatter", list(tensor.chunk(self.size())), [out], opts.reduceOp)

    _allgather_base, _reduce_scatter_base = all_gather_single, reduce_scatter_single

    def reduce(self, tensors: Any, opts: Any = None) -> Work:
        """The root gets the reduction."""
        outs = tensors if self.rank() == opts.rootRank else []
        return self._issue(opts, "reduce", tensors, outs, opts.reduceOp, opts.rootRank)

    def gather(self, outs: Any, ins: Any, opts: Any = None) -> Work:
        """The root gets every rank's."""
        return self._issue(opts, "gather", ins, outs[0] if self.rank() == opts.rootRank else [], root=opts.rootRank)

    def scatter(self, outs: Any, ins: Any, opts: Any = None) -> Work:
        """Rank r gets the root's r-th tensor."""
        return self._issue(opts, "scatter", ins[0] if self.rank() == opts.rootRank else [], outs, root=opts.rootRank)

    def alltoall(self, outs: Any, ins: Any, opts: Any = None) -> Work:
        """Rank r gets every rank's r-th tensor."""
        return self._issue(opts, "all_to_all", ins, outs)

    def alltoall_base(self, out: Any, tensor: Any, out_sizes: Any, in_sizes: Any, opts: Any = None) -> Work:
        """``alltoall`` of one tensor."""
        ins = tensor.split(list(in_sizes)) if in_sizes else tensor.chunk(self.size())
        outs = out.split(list(out_sizes)) if out_sizes else out.chunk(self.size())
        return self._issue(opts, "all_to_all", list(ins), list(outs))

    def barrier(self, opts: Any = None) -> Work:
        """Wait for all ranks: the only collective that makes the host wait, as with NCCL.

        It runs on the device of the group's last collective; before the first one, on the current device.
        """
        device = MODULE.current_device() if self.device is None else self.device
        one = torch.zeros(1, device=f"{state.NAME}:{device}")
        work = self._issue(opts, "all_reduce", [one], [one])
        work.wait()
        explicit_wait("barrier", stream=MODULE.current_stream(device).stream_id, upto=link().number)
        return work

    def send(self, tensors: Any, peer: int, tag: int = 0) -> Work:
        """Send to one rank."""
        return self._point_to_point(tensors, [], self.rank(), peer, tag)

    def recv(self, tensors: Any, peer: int, tag: int = 0) -> Work:
        """Receive from one rank."""
        return self._point_to_point([], tensors, peer, self.rank(), tag)

    def recv_anysource(self, tensors: Any, tag: int = 0) -> Work:
        """Refuse to receive from any rank, which NCCL does not have either.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError("simgpu: recv and irecv need src, the rank that sends, as with NCCL")

    def _point_to_point(self, ins: Any, outs: Any, source: int, target: int, tag: int) -> Work:
        """Enqueue a transfer between two ranks.

        Alone it runs on the stream of its pair, in a batch on the group's, like NCCL's communicators.

        Raises:
            ValueError: tensors of one batch are on several devices.
        """
        batch = self.batch
        try:
            places = _places(ins, outs)
            device = (*outs, *ins)[0].device.index
            if batch is not None and batch.device not in (None, device):
                raise ValueError("Tensors of one batch_isend_irecv must be on one device")
        except BaseException:
            self.batch = None
            raise
        head = {"group": f"{self.name}:{source}>{target}:{tag}", "rank": int(bool(outs))}
        members = {"members": [self.members[source], self.members[target]]}
        part = self._known(PAIR | head) | members | places
        if batch is None:
            pair = self._stream(f"{self.name}:{min(source, target)}-{max(source, target)}", device)
            return Work(device, self._enqueue(self._numbered(part), pair, Event()), list(outs))
        batch.device = device
        batch.parts.append(part)
        if len(batch.parts) == batch.size:
            self._end_coalescing()
        return Work(device, batch.end, list(outs))

    def _numbered(self, part: dict[str, Any]) -> dict[str, Any]:
        """Number a send or receive: equal numbers meet, so only enqueued ones get a number."""
        counter = self.pairs.setdefault((part["group"], part["rank"]), itertools.count(1))
        return part | {"sequence": next(counter)}

    def _start_coalescing(self, device: Any = None, size: int | None = None) -> None:
        """Combine the following sends and receives into one command."""
        self.batch = Batch(size)

    def _end_coalescing(self, device: Any = None) -> Work | None:
        """Enqueue the combined command, if it is not empty."""
        batch, self.batch = self.batch, None
        if batch is None or batch.device is None:
            return None
        head = {"op": BATCH, "group": self.name, "sequence": 0, "rank": self.rank(), "reduce": "sum"}
        parts = [self._numbered(part) for part in batch.parts]
        self._enqueue(head | {"parts": parts}, self._stream(self.name, batch.device), batch.end)
        return Work(batch.device, batch.end, [])

    @property
    def group_name(self) -> str:
        """The name by which functional collectives find the group; DTensor and FSDP depend on them.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError(
            "simgpu: functional collectives, DTensor and FSDP are not simulated. Use torch.distributed's collectives, "
            "or DistributedDataParallel."
        )

    @property
    def _device_types(self) -> list[torch.device]:
        """Return the device for the bytes of object collectives."""
        return [torch.device(state.NAME)]

    def getBackendName(self) -> str:
        """Return the name for ``dist.get_backend``."""
        return BACKEND


def _places(ins: Sequence[torch.Tensor], outs: Sequence[torch.Tensor]) -> dict[str, Any]:
    """Return the places of the tensors of a part.

    Returns:
        Storages and layouts.

    Raises:
        RuntimeError: a tensor is on another device.
        ValueError: a tensor is not contiguous.
    """
    for tensor in (*ins, *outs):
        if not isinstance(tensor, SimTensor):
            raise RuntimeError(f"No backend type associated with device type {tensor.device.type}")
        if not tensor.is_contiguous():
            raise ValueError("Tensors must be contiguous")
    return {k: [[t._storage.number, t._spec.json()] for t in ts] for k, ts in (("ins", ins), ("outs", outs))}  # type: ignore[attr-defined]


def install() -> None:
    """Register the backend; from then on each thread has its own world."""
    if BACKEND not in dist.Backend.backend_list:
        dist.Backend.register_backend(BACKEND, Group, devices=[BACKEND])
        multi_threaded_pg._install_threaded_pg()
        torch._C._distributed_c10d._set_thread_isolation_mode(True)
        c10d = dist.distributed_c10d
        c10d._check_p2p_op_list = _before_a_batch(c10d._check_p2p_op_list)
        if hasattr(c10d, "_maybe_attach_flight_recorder"):  # since 2.15; it needs a group named by C++
            c10d._maybe_attach_flight_recorder = _not_recorded(c10d._maybe_attach_flight_recorder)
        DistributedDataParallel.__init__ = _without_search(DistributedDataParallel.__init__)  # type: ignore[method-assign]


def _not_recorded(attach: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(attach)
    def call(group: dist.ProcessGroup, *args: Any, **kwargs: Any) -> None:
        if not isinstance(group, Group):
            attach(group, *args, **kwargs)

    return call


def _before_a_batch(check: Callable[[list[dist.P2POp]], None]) -> Callable[[list[dist.P2POp]], None]:
    """Begin a batch in the check of ``batch_isend_irecv``, because a program may have imported that long ago."""

    @functools.wraps(check)
    def call(operations: list[dist.P2POp]) -> None:
        check(operations)
        group = operations[0].group or dist.group.WORLD
        if isinstance(group, Group):
            group._start_coalescing(size=len(operations))

    return call


def _without_search(init: Callable[..., None]) -> Callable[..., None]:
    """Refuse the search for unused parameters: its C++ code needs pinned memory from the backend."""

    @functools.wraps(init)
    def call(ddp: DistributedDataParallel, *args: Any, **kwargs: Any) -> None:
        init(ddp, *args, **kwargs)
        if (ddp.find_unused_parameters or ddp.static_graph) and ddp.device.type in state.OURS:
            raise NotImplementedError(
                "simgpu: find_unused_parameters=True and static_graph=True of DistributedDataParallel are not "
                "simulated. Let each parameter take part in the loss."
            )

    return call


def ranks(function: Callable[[int], Any], size: int, devices: Sequence[int] | None = None) -> list[Any]:
    """Run ``function(rank)`` in ``size`` threads, rank k on device k.

    Args:
        function: The function that each rank runs; ``init_process_group`` has been called.
        size: The number of ranks.
        devices: The device of each rank, if not the rank's own number.

    Returns:
        The value that each rank returned.

    Raises:
        ValueError: there are fewer devices.
        Exception: the first exception of a rank; other ranks that wait for this rank get a late error.
    """
    install()
    if size > MODULE.device_count():
        raise ValueError(f"simgpu: {size} ranks need {size} devices, but there are only {MODULE.device_count()}")
    store, results, mine = dist.HashStore(), [None] * size, waiting_ranks.World(size)
    errors: list[BaseException] = []

    caller, hook = threads.LOCAL.number, sys.excepthook
    active = DistributedDataParallel._get_active_ddp_module()

    def run(rank: int) -> None:
        threads.LOCAL.number = caller  # this thread waits for all ranks
        waiting_ranks.LOCAL.rank = waiting_ranks.Rank(mine, rank)
        why = ""
        try:
            MODULE.set_device(devices[rank] if devices else rank)
            dist.init_process_group(BACKEND, rank=rank, world_size=size, store=store)
            results[rank] = function(rank)
        except BaseException as error:
            errors.append(error)
            why = f"{type(error).__name__}: {error}"
        finally:
            with contextlib.suppress(DeviceLost):
                waiting_ranks.LOCAL.rank.ends(why, link().say)
            if dist.is_initialized():
                dist.destroy_process_group()

    started = [threading.Thread(target=run, args=(rank,), daemon=True, name=f"rank {rank}") for rank in range(size)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    # init_process_group makes the hook print the rank before each line, as for a process that is a rank
    sys.excepthook = hook
    # The module in its forward pass is a variable of the process. The last rank to leave would restore another rank's,
    # and torch.compile would then split all later graphs for it.
    DistributedDataParallel._active_ddp_module = active
    if errors:
        raise errors[0]
    return results
