"""What a front end that breaks the rules can do: end its own conversation, or be told a late error. The judge goes on."""

import contextlib
import json
import os
import random
import socket
import struct
import threading
from collections import Counter

import pytest
import torch
from simgpu.control import Control
from simgpu.device import checks, process
from simgpu.device.conversation import Conversation
from simgpu.device.kernels import Kernels
from simgpu.device.log import Log
from simgpu.device.plans import parse_plan
from simgpu.device.runner import Runner
from simgpu.device.state import State
from simgpu.device.values import Values
from simgpu.frames import (
    ANSWER,
    COMMANDS,
    HEAD,
    BadMessage,
    Inbox,
    Kind,
    Outbox,
    json_message,
    message,
    parse_json,
    send,
)
from simgpu.limits import Limits
from simgpu.records import Entry
from simgpu.wire import Spec, launch_body

from simgpu import operations

MESSAGES = int(os.environ.get("SIMGPU_FUZZ", "3000"))
"""So many are handled; `make simgpu-fuzz`: a million."""
LIMITS = Limits(memory=64 << 20, log=20_000, storages=200, pending=300, plans=50, plan_bytes=1 << 20, pinned=8 << 20)


class Device:
    """A device in a thread of this process, spoken to in raw messages."""

    def __init__(self) -> None:
        self.front, theirs = socket.socketpair()
        ours, judges = socket.socketpair()
        self.kernels = Kernels(LIMITS)
        self.conversation = Conversation(State(LIMITS, Outbox(theirs), operations.Allowed(), self.kernels))
        reader = process.Reader(self.conversation, theirs, judges)
        self.judge = Control(ours)
        self.thread = threading.Thread(target=reader.run, daemon=True)
        self.thread.start()
        self.inbox = Inbox(self.front)
        self.sending = threading.Lock()

    def say(self, kind: int, head: dict, payload: bytes = b"") -> None:
        send(self.front, json_message(kind, head, payload))

    def raw(self, kind: int, body: bytes) -> None:
        send(self.front, message(kind, body))

    def bad(self) -> list[str]:
        return [e.detail["text"] for e in self.judge.log() if e.kind == "bad message"]

    def close(self) -> None:
        self.front.close()
        self.judge.close()
        self.thread.join(20)
        assert not self.thread.is_alive()


@pytest.fixture
def device():
    made = Device()
    yield made
    made.close()


SPEC = ["float32", [4], [1], 0]
PLAN = {"id": 1, "op": "aten.add.Tensor", "args": [{"tensor": 0}, {"tensor": 1}], "kwargs": {}, "tensors": [[0, SPEC], [0, SPEC]],
        "storages": 1, "values": 0, "outs": [SPEC], "leaves": [0]}  # fmt: skip


def ready(device: Device) -> None:
    device.say(Kind.ALLOCATE, {"storage": 1, "spec": SPEC, "stream": 0})
    device.say(Kind.PLAN, PLAN)


def launch(plan: int = 1, stream: int = 0, storage: int = 1, out: int = 2) -> bytes:
    return launch_body(2, 0, False).pack(plan, stream, storage, out)


def test_the_messages_that_a_front_end_writes_are_understood(device: Device):
    ready(device)
    device.raw(Kind.LAUNCH, launch())
    device.say(Kind.HOST_WAIT, {"id": 1, "label": "wait", "stream": None, "upto": 1})
    kind, body = device.inbox.read()
    assert (kind, body[:8], len(body)) == (Kind.REPLY, struct.pack("<Q", 1), ANSWER.size)
    assert device.bad() == []
    assert device.judge.values(2).shape == (4,)


BATCH_HEAD = {"op": "batch_isend_irecv", "group": "g", "sequence": 0, "rank": 0, "reduce": "sum", "stream": 0}
BATCH_PART = {
    "group": "g",
    "sequence": 1,
    "rank": 0,
    "size": 2,
    "op": "send",
    "reduce": "sum",
    "root": 0,
    "ins": [],
    "outs": [],
}
ATTACKS = {
    "a file": lambda d: d.say(Kind.PLAN, PLAN | {"op": "aten.from_file.default", "args": ["/etc/passwd"], "tensors": []}),
    "an attribute": lambda d: d.say(Kind.PLAN, PLAN | {"op": "aten.add.__class__"}),
    "a module": lambda d: d.say(Kind.PLAN, PLAN | {"op": "aten.__loader__.default"}),
    "another library": lambda d: d.say(Kind.PLAN, PLAN | {"op": "prims.add.default"}),
    "not on the list": lambda d: d.say(Kind.PLAN, PLAN | {"op": "aten._foobar_unsafe.default"}),
    "more constants than an operation has": lambda d: d.say(Kind.PLAN, PLAN | {"args": [[0] * 140_000]}),
    "more constants than all operations have": lambda d: [d.say(Kind.PLAN, PLAN | {"id": 2 + n, "more": "y" * 200_000}) for n in range(6)],
    "a slot that is not there": lambda d: d.say(Kind.PLAN, PLAN | {"args": [{"tensor": 7}, {"tensor": 1}]}),
    "a negative slot": lambda d: d.say(Kind.PLAN, PLAN | {"args": [{"tensor": -1}, {"tensor": 1}]}),
    "a negative size": lambda d: d.say(Kind.ALLOCATE, {"storage": 2, "spec": ["float32", [-4], [1], 0], "stream": 0}),
    "an overflowing size": lambda d: d.say(Kind.ALLOCATE, {"storage": 2, "spec": ["float32", [1 << 40] * 3, [1] * 3, 0], "stream": 0}),
    "a size that is no number": lambda d: d.say(Kind.ALLOCATE, {"storage": 2, "spec": ["float32", ["4"], [1], 0], "stream": 0}),
    "a view out of range": lambda d: d.say(Kind.DOWNLOAD, {"id": 1, "storage": 1, "spec": ["float32", [1 << 20], [1], 0], "stream": 0, "label": ""}),
    "a storage that is not there": lambda d: d.raw(Kind.LAUNCH, launch(storage=99)),
    "a storage made twice": lambda d: d.raw(Kind.LAUNCH, launch(out=1)),
    "a storage of the judge": lambda d: d.raw(Kind.LAUNCH, launch(out=(1 << 62) + 5)),
    "another device's memory": lambda d: d.raw(Kind.LAUNCH, launch(stream=128)),
    "a stream that is not there": lambda d: d.raw(Kind.LAUNCH, launch(stream=1 << 20)),
    "a stream that is no number": lambda d: d.say(Kind.RECORD, {"stream": True}),
    "a plan that is not there": lambda d: d.raw(Kind.LAUNCH, launch(plan=12345)),
    "a short launch": lambda d: d.raw(Kind.LAUNCH, launch()[:-3]),
    "freed twice": lambda d: d.raw(Kind.FREE, struct.pack("<QQ", 1, 1)),
    "half a number freed": lambda d: d.raw(Kind.FREE, b"123"),
    "an event of the future": lambda d: d.say(Kind.STREAM_WAIT, {"stream": 0, "ticket": 1 << 40}),
    "pinned memory out of range": lambda d: d.say(Kind.H2D, {"storage": 1, "spec": SPEC, "stream": 0, "segment": 0, "offset": -8}),
    "no size of pinned memory": lambda d: d.say(Kind.CALL, {"do": "pin", "id": 1, "nbytes": -1}),
    "pinned memory that is not there": lambda d: d.say(Kind.CALL, {"do": "unpin", "segment": 0}),
    "too few bytes": lambda d: d.say(Kind.UPLOAD, {"id": 1, "storage": 1, "spec": SPEC, "stream": 0, "label": ""}, b"123"),
    "a call that is not there": lambda d: d.say(Kind.CALL, {"do": "__init__", "id": 1}),
    "the judge's words": lambda d: d.say(Kind.CALL, {"do": "release", "id": 1}),
    "a collective of strangers": lambda d: d.say(Kind.COLLECTIVE, {"group": "g", "sequence": 1, "rank": 9, "size": 2, "op": "all_reduce", "reduce": "sum", "root": 0, "ins": [], "outs": [], "stream": 0}),
    "a batch of nothing": lambda d: d.say(Kind.COLLECTIVE, BATCH_HEAD | {"parts": []}),
    "a batch with a part twice": lambda d: d.say(Kind.COLLECTIVE, BATCH_HEAD | {"parts": [BATCH_PART, BATCH_PART]}),
    "a batch of numbers": lambda d: d.say(Kind.COLLECTIVE, BATCH_HEAD | {"parts": [1]}),
    "a group with too few members": lambda d: d.say(Kind.COLLECTIVE, BATCH_HEAD | {"parts": [BATCH_PART | {"members": [0]}]}),
    "ranks that wait for no number": lambda d: d.say(Kind.CALL, {"do": "all wait", "world": "1", "asked": ["x"]}),
    "ranks of no world": lambda d: d.say(Kind.CALL, {"do": "all wait", "world": 1, "asked": []}),
    "a group of too long a name": lambda d: d.say(Kind.COLLECTIVE, {"group": "g" * 1000, "sequence": 1, "rank": 0, "size": 2, "op": "all_reduce", "reduce": "sum", "root": 0, "ins": [], "outs": [], "stream": 0}),
    "a storage that is laid out anew": lambda d: d.say(Kind.PLAN, PLAN | {"op": "aten.transpose_.default", "args": [{"tensor": 0}, 0, 0], "tensors": [[0, SPEC]], "outs": [], "leaves": [-1]}),
    "a question without a number": lambda d: d.say(Kind.HOST_WAIT, {"id": "x", "label": "", "stream": None, "upto": 1}),
    "a wait for no number": lambda d: d.say(Kind.HOST_WAIT, {"id": 1, "label": "", "stream": None, "upto": None}),
    "a mark without a label": lambda d: d.say(Kind.CALL, {"do": "mark", "label": None}),
    "a query for no number": lambda d: d.say(Kind.CALL, {"do": "query", "id": 1, "stream": 0, "upto": 1.5}),
    "a wait in no thread": lambda d: d.say(Kind.HOST_WAIT, {"id": 1, "label": "", "stream": None, "upto": 1, "thread": -1}),
    "a wait in a thread without a number": lambda d: d.say(Kind.HOST_WAIT, {"id": 1, "label": "", "stream": None, "upto": 1, "thread": "x"}),
    "a program that stands still for nothing": lambda d: d.say(Kind.CALL, {"do": "stands still", "id": 1, "of": None}),
    "a launch queue for nobody": lambda d: d.say(Kind.CALL, {"do": "launch queue", "id": None}),
    "an answer that was never given": lambda d: d.raw(Kind.ACKNOWLEDGED, struct.pack("<Q", 5)),
    "half an answer": lambda d: d.raw(Kind.ACKNOWLEDGED, b"123"),
    "no JSON": lambda d: d.raw(Kind.PLAN, b"\xff" * 40),
    "deep JSON": lambda d: d.raw(Kind.CALL, struct.pack("<I", 100_000) + b"[" * 100_000),
    "a list": lambda d: d.raw(Kind.CALL, struct.pack("<I", 2) + b"[]"),
    "a kind that is not there": lambda d: d.raw(77, b""),
    "a message that is too long": lambda d: d.front.sendall(HEAD.pack(1 << 31, 2)),
}  # fmt: skip


@pytest.mark.parametrize("name", ATTACKS)
def test_a_message_that_no_front_end_writes_ends_the_conversation_and_stands_in_the_log(device: Device, name: str):
    ready(device)
    ATTACKS[name](device)
    while not device.bad():
        assert device.thread.is_alive()
    while (found := device.inbox.read())[0] != Kind.REFUSED:
        pass
    assert json.loads(found[1][4:])["why"]
    assert device.judge.state().number == 0


def test_a_wait_is_acknowledged_when_the_number_in_its_answer_comes_back(device: Device):
    ready(device)

    def kinds() -> list[tuple[str, object]]:
        told = [(e.kind, e.detail.get("wait", e.detail.get("waits"))) for e in device.judge.log()]
        return [one for one in told if one[0] in ("wait", "acknowledged")]

    device.judge.hold_until_waited_for()
    for request in (1, 2, 3):
        device.raw(Kind.LAUNCH, launch(out=request + 1))
        device.say(Kind.HOST_WAIT, {"id": request, "label": "wait", "stream": 0, "upto": request})
    tokens = [ANSWER.unpack(device.inbox.read()[1]) for _ in range(3)]
    assert [request for request, _ in tokens] == [1, 2, 3] and len({token for _, token in tokens}) == 3
    assert kinds() == [("wait", 1), ("wait", 2), ("wait", 3)]
    device.raw(Kind.ACKNOWLEDGED, struct.pack("<Q", tokens[1][1]))  # and the earlier wait, which it covers
    device.raw(Kind.ACKNOWLEDGED, struct.pack("<Q", tokens[0][1]))
    assert kinds()[3:] == [("acknowledged", [1, 2])]
    device.say(Kind.CALL, {"do": "hello", "id": 9})
    assert ANSWER.unpack_from(device.inbox.read()[1]) == (9, 0)
    device.raw(Kind.ACKNOWLEDGED, struct.pack("<Q", tokens[1][1]))  # a second time
    while not device.bad():
        assert device.thread.is_alive()


LATE = {
    "shapes that lie": (PLAN | {"outs": [["float32", [7], [1], 0]]}, "announced"),
    "a dtype that lies": (PLAN | {"outs": [["float64", [4], [1], 0]]}, "announced"),
    "too few results": (PLAN | {"outs": [SPEC], "leaves": [0, 0]}, "announced"),
    "shapes that no kernel takes": (PLAN | {"tensors": [[0, SPEC], [0, ["float32", [3], [1], 0]]]}, "size"),
}


@pytest.mark.parametrize("name", LATE)
def test_a_lie_about_a_result_is_a_late_error(device: Device, name: str):
    plan, text = LATE[name]
    device.say(Kind.ALLOCATE, {"storage": 1, "spec": SPEC, "stream": 0})
    device.say(Kind.PLAN, plan)
    device.raw(Kind.LAUNCH, launch())
    device.say(Kind.HOST_WAIT, {"id": 1, "label": "wait", "stream": None, "upto": 1})
    kind, body = device.inbox.read()
    assert kind == Kind.FAILED
    assert text in body.decode(errors="replace")
    assert device.bad() == []


@pytest.mark.parametrize("size", [0, 1])
def test_memory_does_not_grow_behind_the_allocator_by_an_out(device: Device, size: int):
    """A kernel makes its ``out=`` as large as its result: a storage of one number would hold a million."""
    small, large = (["float32", [n], [1], 0] for n in (size, 1 << 20))
    for number, spec in ((1, ["float32", [1], [1], 0]), (2, large)):
        device.say(Kind.ALLOCATE, {"storage": number, "spec": spec, "stream": 0})
    grows = {"id": 1, "op": "aten.add.out", "args": [{"tensor": 0}, {"tensor": 0}], "kwargs": {"out": {"tensor": 1}},
             "tensors": [[1, large], [0, small]], "storages": 2, "values": 0, "outs": [], "leaves": [-1]}  # fmt: skip
    device.say(Kind.PLAN, grows)
    device.raw(Kind.LAUNCH, launch_body(2, 0, False).pack(1, 0, 1, 2))
    device.say(Kind.HOST_WAIT, {"id": 1, "label": "wait", "stream": None, "upto": 1})
    kind, body = device.inbox.read()
    assert kind == Kind.FAILED
    assert "an out= of" in body.decode(errors="replace")
    one, many = Values(Spec.parse(["float32", [1], [1], 0])), Values(Spec.parse(large))
    with pytest.raises(BadMessage, match="an out= of"):
        Runner().run(parse_plan(grows), (), 0, [one, many])
    assert one.tensor is not None
    assert one.tensor.untyped_storage().nbytes() == 4


def test_descriptors_that_the_front_end_sends_are_not_kept(device: Device):
    """Those of a device are few, and pinned memory needs some."""
    with open(os.devnull) as file:
        for _ in range(20):
            text = b"".join(json_message(Kind.CALL, {"do": "mark", "label": "x"}))
            socket.send_fds(device.front, [text], [file.fileno()] * 10)
        before = len(os.listdir("/proc/self/fd"))
        assert len(device.judge.log()) == 20
        assert len(os.listdir("/proc/self/fd")) <= before


def test_the_label_of_a_wait_is_cut_before_it_stands_in_a_queue(device: Device):
    ready(device)
    device.judge.hold()
    device.say(Kind.DOWNLOAD, {"id": 1, "storage": 1, "spec": SPEC, "stream": 0, "label": "x" * 100_000})
    assert device.judge.state().pending_commands == 1
    assert [c.name for c in device.conversation.state.queues.streams[0].queue] == ["x" * 60]


@pytest.mark.parametrize(("count", "told"), [(16, None), (17, 17)])
def test_many_numbers_of_the_host_stand_in_the_log_as_a_copy_does(device: Device, count: int, told: int | None):
    device.say(Kind.ALLOCATE, {"storage": 1, "spec": ["float32", [count], [1], 0], "stream": 0})
    tensors = [[0, ["float32", [1], [1], n]] for n in range(count)]
    args = [[{"tensor": n} for n in range(count)], [{"value": [n, None]} for n in range(count)]]
    device.say(Kind.PLAN, {"id": 1, "op": "aten._foreach_add_.ScalarList", "args": args, "kwargs": {}, "tensors": tensors,
                           "storages": 1, "values": count, "outs": [], "leaves": []})  # fmt: skip
    device.raw(Kind.LAUNCH, launch_body(1, count, False).pack(1, 0, 1, *range(count)))
    assert [e.detail.get("numbers") for e in device.judge.log() if e.kind == "launch"] == [told]


def test_what_does_not_fit_is_counted_and_fails_late(device: Device):
    device.say(Kind.ALLOCATE, {"storage": 5, "spec": ["float32", [1 << 40], [1], 0], "stream": 0})
    device.say(Kind.DOWNLOAD, {"id": 1, "storage": 5, "spec": SPEC, "stream": 0, "label": "x"})
    assert device.inbox.read()[0] == Kind.FAILED
    assert device.judge.memory()["out_of_memory"] == 1
    assert device.judge.memory()["allocated"] == 0


def test_pinned_memory_is_bounded_and_what_is_given_back_too_early_is_a_late_error(device: Device):
    ready(device)
    answers = []
    for request, nbytes in enumerate((1 << 40, LIMITS.pinned, 4096), 1):
        device.say(Kind.CALL, {"do": "pin", "id": request, "nbytes": nbytes})
        answers.append(json.loads(device.inbox.read()[1][ANSWER.size :]))
    assert answers == [None, 0, None]
    os.close(device.inbox.fds.popleft())
    device.judge.hold()
    device.say(Kind.H2D, {"storage": 1, "spec": SPEC, "stream": 0, "segment": 0, "offset": 0})
    device.say(Kind.CALL, {"do": "unpin", "segment": 0})
    device.say(Kind.HOST_WAIT, {"id": 9, "label": "wait", "stream": None, "upto": 1})
    device.judge.release()
    kind, body = device.inbox.read()
    assert kind == Kind.FAILED
    assert "has been freed" in body.decode(errors="replace")
    assert (device.bad(), device.judge.memory()["pinned"]) == ([], 0)


def test_half_a_message_does_not_keep_the_judge_waiting(device: Device):
    device.front.sendall(HEAD.pack(1000, int(Kind.PLAN)) + b"half")
    assert device.judge.state().number == 0


def test_a_front_end_that_never_reads_does_not_keep_the_judge_waiting(device: Device):
    ready(device)
    for n in range(2000):
        device.say(Kind.CALL, {"do": "hello", "id": n, "more": "x" * 100})
    assert device.judge.state().storages == 1


def test_a_flood_of_commands_behind_a_gate_is_bounded_and_the_judge_is_heard(device: Device):
    ready(device)
    device.judge.hold()
    device.front.setblocking(False)
    sent = 0
    try:
        for _ in range(200_000):
            sent += 1
            send(device.front, json_message(Kind.RECORD, {"stream": 0}))
    except BlockingIOError:
        pass
    assert sent < 200_000
    state = device.judge.state()
    assert state.pending_commands <= LIMITS.pending + 60_000 // 20
    device.judge.release()


def test_a_full_log_forgets_its_oldest_entries_unless_the_judge_is_to_read_them(device: Device):
    def records() -> None:
        with contextlib.suppress(OSError):
            for _ in range(LIMITS.log + 10):
                device.say(Kind.RECORD, {"stream": 0})

    device.judge.need_log(False)
    records()
    while not (state := device.judge.settle()).idle:
        pass
    assert (state.log, state.number, state.ended) == (LIMITS.log + 10, LIMITS.log + 10, None)
    assert 0 < len(device.judge.log()) <= LIMITS.log
    assert device.judge.log(state.log - 1)[0].number == state.number
    device.say(Kind.STREAM_WAIT, {"stream": 1, "ticket": 1})  # it happened long ago, and is forgotten
    device.judge.need_log()
    start = device.judge.state().log
    records()
    while not (state := device.judge.settle()).idle:
        pass
    assert state.ended == f"more than {LIMITS.log} entries in the log"
    assert len(device.judge.log(start)) == state.log - start == LIMITS.log


class Lock:
    """A lock that says when somebody waits for it."""

    def __init__(self) -> None:
        self.waited_for = threading.Event()
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            self.waited_for.set()
            self._lock.acquire()

    def __exit__(self, *exception: object) -> None:
        self._lock.release()


class Kept(list[Entry]):
    """What a log keeps; where it forgets, somebody else needs all from now on, and has said so or waits to."""

    def __init__(self, log: Log) -> None:
        self.asking = threading.Thread(target=self.ask)
        self.log, self.lock = log, Lock()
        log.entries._lock, log.entries._kept = self.lock, self  # type: ignore[assignment]

    def ask(self) -> None:
        self.log.need(True)
        self.lock.waited_for.set()

    def __delitem__(self, place: object) -> None:
        super().__delitem__(place)  # type: ignore[arg-type]
        self.asking.start()
        assert self.lock.waited_for.wait(60)


def test_what_the_judge_needs_begins_where_the_log_ends_also_while_it_forgets():
    log = Log(10)
    kept = Kept(log)
    for number in range(11):
        log.add("free", number)
    kept.asking.join()
    assert log.entries.needed == 11


def look(name: str, args: list, **named: object) -> None:
    """At values alone."""
    checks.checked(operations.overload(name), args, named, shapes=False)


def test_indices_are_checked_before_a_kernel_that_does_not_look():
    grad, own = torch.ones(1, 1, 1, 1), torch.ones(1, 1, 2, 2)
    with pytest.raises(IndexError, match="out of range"):
        args = [grad, own, [2, 2], [2, 2], [0, 0], [1, 1], False, torch.full((1, 1, 1, 1), 1 << 40)]
        look("aten.max_pool2d_with_indices_backward.default", args)


def ctc(**changed: object) -> list[object]:
    right = {
        "probs": torch.zeros(4, 2, 3),
        "targets": torch.tensor([[1, 2], [1, -7]]),
        "inputs": [4, 4],
        "lengths": [2, 1],
    }
    return list((right | changed).values())


FLAT = {"targets": torch.tensor([1, 2, 1])}
NOWHERE = {
    "a label": ("_ctc_loss", ctc(targets=torch.tensor([[1, 3], [1, 1]])), {}),
    "a label of a flat list": ("_ctc_loss", ctc(targets=torch.tensor([1, -1, 1])), {}),
    "an input's length": ("_ctc_loss", ctc(inputs=[4, 5]), {}),
    "a target's length": ("_ctc_loss", ctc(lengths=torch.tensor([3, 1])), {}),
    "all targets' length": ("_ctc_loss", ctc(**FLAT, lengths=[2, 2]), {}),
    "backward of less": ("_ctc_loss_backward", [None, *ctc(), None, torch.zeros(2, 4, 3), 0], {}),
    "a row": ("_embedding_bag", [torch.zeros(4, 2), torch.tensor([0, 4]), torch.tensor([0])], {}),
    "a bag": ("_embedding_bag_forward_only", [torch.zeros(4, 2), torch.tensor([0, 1]), torch.tensor([0, 3])], {}),
    "a bag of weights": (
        "_embedding_bag_per_sample_weights_backward",
        [torch.zeros(1, 2), torch.zeros(4, 2), torch.tensor([0, 1]), torch.tensor([0]), torch.tensor([0, 1]), 0],
        {},
    ),
    "an offset": ("segment_reduce", [torch.zeros(4), "sum"], {"offsets": torch.tensor([0, 2, 5])}),
    "offsets that go back": ("segment_reduce", [torch.zeros(4), "sum"], {"offsets": torch.tensor([0, 3, 1, 4])}),
    "lengths": ("segment_reduce", [torch.zeros(4), "sum"], {"lengths": torch.tensor([3, 2]), "unsafe": True}),
    "backward of lengths": (
        "_segment_reduce_backward",
        [None, None, torch.zeros(2, 4), "sum"],
        {"lengths": torch.tensor([[3, 1], [3, 2]]), "axis": 1},
    ),
}


@pytest.mark.parametrize("name", NOWHERE)
def test_lengths_and_labels_are_checked_as_indices_are(name: str):
    op, args, named = NOWHERE[name]
    with pytest.raises(IndexError, match="out of range"):
        look(f"aten.{op}.default", args, **named)


def test_what_is_within_is_let_through():
    look("aten._ctc_loss.Tensor", ctc(), blank=0)
    look("aten._ctc_loss.default", ctc(**FLAT))
    look("aten._ctc_loss_backward.default", [None, *ctc(), None, torch.zeros(2, 4, 5), 0])
    for how in ({"offsets": torch.tensor([0, 2, 4])}, {"lengths": torch.tensor([0, 4])}):
        look("aten.segment_reduce.default", [torch.zeros(4), "sum"], **how)


def test_the_allow_list_holds_nothing_that_reaches_files_or_other_devices():
    names = operations.Allowed().names
    assert len(names) > 1000
    assert [n for n in names if not operations.may_stand_in_a_list(n)] == []
    assert not operations.Allowed().permits("aten.from_file.default")
    assert not operations.Allowed().permits(["aten.add.Tensor"] and 3)


def test_layouts_are_checked():
    for bad in (
        None,
        [],
        ["float32", [1], [1]],
        ["float33", [1], [1], 0],
        ["float32", [1], [1, 1], 0],
        ["float32", [True], [1], 0],
    ):
        with pytest.raises(BadMessage):
            Spec.parse(bad)
    with pytest.raises(BadMessage):
        parse_json(b"")


# ---- the wire, fuzzed


def mutated(draw: random.Random, body: bytes) -> bytes:
    data = bytearray(body)
    for _ in range(draw.randrange(1, 4)):
        kind, at = draw.randrange(3), draw.randrange(len(data) + 1)
        if kind == 0 and data:
            data[at % len(data)] = draw.randrange(256)
        elif kind == 1:
            del data[at : at + draw.randrange(1, 9)]
        else:
            data[at:at] = draw.randbytes(draw.randrange(1, 9))
    return bytes(data)


def odd(draw: random.Random) -> object:
    return draw.choice(
        [
            None,
            True,
            -1,
            0,
            1,
            2,
            127,
            128,
            1 << 31,
            1 << 62,
            1 << 70,
            1.5,
            "",
            "x",
            [],
            [[]],
            {},
            [1, 2],
            "aten.add.Tensor",
            SPEC,
            {"tensor": 0},
        ]
    )


class Front:
    """What a front end of ours could say next, by a small model of what the device has heard, and what none would."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.storages, self.plans, self.segments = {1: 0}, {1: 0}, list[int]()
        self.number, self.made, self.tickets, self.pinned, self.joined = 0, 1, list[int](), 0, list[tuple[int, int]]()
        self.kind = 0

    def storage(self, stream: int) -> int:
        """One of the stream's device, made if there is none."""
        return self.draw.choice([n for n, home in self.storages.items() if home // 128 == stream // 128])

    def next(self) -> tuple[int, bytes]:
        """A message that the device takes."""
        draw = self.draw
        stream = draw.choice([0, 0, 1, 40, 128])
        if stream == 128 and 128 not in self.storages.values():
            return self.allocate(stream)
        kind = draw.choice([k for k in KINDS if k != Kind.FREE or len(self.storages) > 20])
        if len(self.storages) > 150:
            kind = Kind.FREE
        known, number = self.storage(stream), len(self.storages)
        here = {"storage": known, "spec": SPEC, "stream": stream}
        request = {"id": self.number * 8 + draw.randrange(8), "label": "x", "thread": draw.choice([0, 0, 0, 1])}
        self.number += kind in COMMANDS
        if kind == Kind.ALLOCATE:
            return self.allocate(stream)
        if kind == Kind.PLAN:
            return self.plan()
        if kind in (Kind.LAUNCH, Kind.ASK):
            plan, fresh = draw.choice(list(self.plans)), self.fresh(stream)
            body = launch_body(2, 0, False).pack(plan, stream, known, fresh)
            if kind == Kind.LAUNCH:
                return kind, body
            return kind, packed(request, body)
        if kind == Kind.UPLOAD:
            return kind, packed(here | request, draw.randbytes(16))
        if kind == Kind.DOWNLOAD:
            return kind, packed(here | request)
        if kind in (Kind.H2D, Kind.D2H):
            if not self.segments:
                self.number -= 1
                return self.pin()
            return kind, packed(here | {"segment": draw.choice(self.segments), "offset": 8 * draw.randrange(500)})
        if kind == Kind.RECORD:
            self.tickets.append(self.number)
            return kind, packed({"stream": stream})
        if kind == Kind.STREAM_WAIT:
            if not self.tickets:
                self.tickets.append(self.number)
                return Kind.RECORD, packed({"stream": stream})
            return kind, packed({"stream": stream, "ticket": draw.choice(self.tickets)})
        if kind == Kind.COLLECTIVE:
            self.joined.append((len(self.joined) // 2, len(self.joined) % 2))
            sequence, rank = self.joined[-1]
            part = {"ins": [[known, SPEC]], "outs": [[known, SPEC]], "stream": stream // 128 * 128 + 70 + rank}
            said = {"group": "g", "sequence": sequence, "rank": rank, "size": 2}
            return kind, packed(said | part | {"op": "all_reduce", "reduce": "sum", "root": 0})
        if kind == Kind.HOST_WAIT:
            target = draw.choice([{"stream": stream}, {"stream": None}, {"stream": None, "device": 0}])
            return kind, packed(request | target | {"upto": draw.randrange(self.number + 1)})
        if kind == Kind.FREE:
            gone = draw.sample([n for n in self.storages if n != 1], min(number - 1, draw.randrange(1, 8)))
            for one in gone:
                del self.storages[one]
            return kind, struct.pack(f"<{len(gone)}Q", *gone)
        return self.call(request | {"stream": stream, "storage": known})

    def fresh(self, stream: int) -> int:
        self.made += 1
        self.storages[self.made] = stream
        return self.made

    def allocate(self, stream: int) -> tuple[int, bytes]:
        return Kind.ALLOCATE, packed({"storage": self.fresh(stream), "spec": SPEC, "stream": stream})

    def plan(self) -> tuple[int, bytes]:
        number = max(self.plans) + 1
        self.plans[number] = 0
        head = PLAN | {"id": number, "op": self.draw.choice(["aten.add.Tensor", "aten.mul.Tensor", "aten.div.Tensor"])}
        if len(self.plans) > 40:
            self.plans = {number: 0}
            head["forget"] = number
        return Kind.PLAN, packed(head)

    def pin(self) -> tuple[int, bytes]:
        if len(self.segments) > 20:
            return Kind.CALL, packed({"do": "unpin", "segment": self.segments.pop(0)})
        self.pinned += 1
        self.segments.append(self.pinned - 1)
        return Kind.CALL, packed({"do": "pin", "id": 1, "nbytes": 4096})

    def call(self, head: dict) -> tuple[int, bytes]:
        do = self.draw.choice(CALLS)
        if do == "pin":
            return self.pin()
        more = {
            "do": do, "device": head["stream"] // 128, "upto": self.draw.randrange(self.number + 1), "number": 7,
            "tickets": [1, 2], "since": 0, "ran": 0, "group": "h", "world": "h", "asked": [1], "rank": 0, "begins": self.draw.random() < 0.5,
            "of": head["id"],
        }  # fmt: skip
        return Kind.CALL, packed(head | more)

    def strange(self) -> tuple[int, bytes]:
        """A message like one of these, with something wrong in it."""
        draw = self.draw
        kind, body = self.next()
        if draw.random() < 0.02:
            kind = draw.randrange(256)
        if draw.random() < 0.5 or kind in (Kind.LAUNCH, Kind.FREE) or len(body) < 4:
            return kind, mutated(draw, body)
        try:
            head, payload = parse_json(body)
        except BadMessage:
            return kind, mutated(draw, body)
        head[draw.choice(list(head))] = odd(draw)
        return kind, packed(head, bytes(payload))


CALLS = ["hello", "memory", "reset peak", "empty cache", "query", "elapsed", "record stream", "pin", "address", "mark",
         "call", "stands still", "launch queue", "leave", "all wait", "log"]  # fmt: skip
KINDS = [Kind.PLAN, Kind.LAUNCH, Kind.LAUNCH, Kind.ASK, Kind.UPLOAD, Kind.DOWNLOAD, Kind.H2D, Kind.D2H, Kind.RECORD,
         Kind.STREAM_WAIT, Kind.COLLECTIVE, Kind.HOST_WAIT, Kind.FREE, Kind.ALLOCATE, Kind.CALL]  # fmt: skip


def packed(head: dict, payload: bytes = b"") -> bytes:
    """The body of a message."""
    return b"".join(bytes(part) for part in json_message(0, head, payload)[1:])


def test_a_device_that_has_ended_leaves_no_thread():
    made = Device()
    ready(made)
    made.raw(Kind.LAUNCH, launch())
    made.judge.settle()
    streams = [thread for thread in threading.enumerate() if thread.name.startswith("stream")]
    made.close()
    for thread in streams:
        thread.join(20)
    assert streams and not [thread for thread in streams if thread.is_alive()]


class Handled:
    """How many messages of each kind a device has heard, and how many ended a conversation."""

    def __init__(self) -> None:
        self.taken, self.refused = Counter[int](), Counter[int]()

    def beside(self, device: Device) -> None:
        usual = device.conversation.handle

        def handle(kind: int, body: bytes) -> None:
            try:
                usual(kind, body)
            except Exception:
                self.refused[kind] += 1
                raise
            self.taken[kind] += 1

        device.conversation.handle = handle  # type: ignore[method-assign]

    @property
    def messages(self) -> int:
        return self.taken.total() + self.refused.total()


def reads_answers(device: Device) -> None:
    """As a front end does: an answer to a wait is told to have come."""
    try:
        while True:
            kind, body = device.inbox.read()
            while device.inbox.fds:
                os.close(device.inbox.fds.popleft())
            token = ANSWER.unpack_from(body)[1] if kind in (Kind.REPLY, Kind.FAILED) else 0
            if token:
                with device.sending:
                    device.raw(Kind.ACKNOWLEDGED, struct.pack("<Q", token))
    except (EOFError, OSError):
        pass


def test_fuzzed_messages_never_hang_or_crash_the_judge():
    """Mostly what a front end could say, and one message in fifty that none would."""
    seed = random.SystemRandom().randrange(1 << 32)
    draw, handled, conversations = random.Random(seed), Handled(), 0
    while handled.messages < MESSAGES:
        device, front = Device(), Front(draw)
        conversations += 1
        handled.beside(device)
        ready(device)
        reader = threading.Thread(target=reads_answers, args=(device,), daemon=True)
        reader.start()
        try:
            for _ in range(200):  # fewer than may be pending
                with device.sending:
                    device.raw(*(front.strange() if draw.random() < 0.02 else front.next()))
                if draw.random() < 0.02:
                    device.judge.state()
                if draw.random() < 0.005:
                    device.judge.hold_until_waited_for()
                if draw.random() < 0.01:
                    device.judge.release()
        except OSError:
            pass
        device.judge.release()
        assert device.judge.state().log <= LIMITS.log, seed
        device.front.shutdown(socket.SHUT_RDWR)  # the reader gets the end of the stream
        device.close()
        reader.join(20)
        assert not reader.is_alive(), seed
        if conversations % 500 == 0 or handled.messages >= MESSAGES:
            print(
                f"{handled.messages} messages in {conversations} conversations: {handled.taken.total()} taken, "
                f"{handled.refused.total()} ended one; seed {seed}",
                flush=True,
            )
    assert set(handled.taken) == {*KINDS, Kind.ACKNOWLEDGED}, (seed, handled.taken)
    assert handled.taken.total() > 0.9 * handled.messages, seed
    assert len(handled.refused) >= 5, (seed, handled.refused)
