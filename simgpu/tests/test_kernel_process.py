"""The process that runs kernels: what it does not have, how it ends, and what it may answer."""

import contextlib
import ctypes
import itertools
import json
import os
import pickle
import re
import secrets
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch
from device import DEVICE, gpu, judge, ready, wait_everywhere
from simgpu.control import Control
from simgpu.device import kernels
from simgpu.device.channel import Answer, Channel, Failed, Lost
from simgpu.device.launches import _told
from simgpu.device.replay_request import _parsed
from simgpu.device.worker import Worker
from simgpu.frames import HEAD, BadMessage, Inbox, Kind, json_message, message, parse_json, send
from test_safety import SPEC, Device, launch
from test_safety import ready as with_a_plan

linux = pytest.mark.skipif(sys.platform != "linux", reason="/proc")


class Process:
    """A device in a process of its own, with its kernel process, and its sockets before it had them."""

    def __init__(self) -> None:
        self.front, theirs = socket.socketpair()
        ours, judges = socket.socketpair()
        self.sockets = [os.readlink(f"/proc/self/fd/{s.fileno()}") for s in (theirs, judges)]
        fds = theirs.fileno(), judges.fileno()
        command = [sys.executable, "-m", "simgpu.device.process", "--front", str(fds[0]), "--judge", str(fds[1])]
        environment = dict(os.environ, PYTHONPATH=os.pathsep.join(p for p in sys.path if p))
        self.process = subprocess.Popen(command, pass_fds=fds, env=environment)
        theirs.close()
        judges.close()
        self.judge = Control(ours)
        self.judge.state()
        (self.kernels,) = map(
            int, Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        )

    def say(self, kind: int, head: dict, payload: bytes = b"") -> None:
        send(self.front, json_message(kind, head, payload))

    def close(self) -> None:
        self.front.close()
        self.judge.close()
        assert self.process.wait(60) == 0


@pytest.fixture
def process() -> Iterator[Process]:
    made = Process()
    yield made
    made.close()


@pytest.fixture
def device() -> Iterator[Device]:
    made = Device()
    yield made
    made.close()


def memory_of(pid: int) -> Iterator[bytes]:
    """What a process has written, piece by piece."""
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as mem:
        for line in maps:
            begin, end = (int(n, 16) for n in line.split()[0].split("-"))
            if line.split()[1].startswith("rw") and "[v" not in line:
                for place in range(begin, end, 1 << 24):
                    try:
                        mem.seek(place)
                        yield mem.read(min(1 << 24, end - place))
                    except OSError:
                        break


@linux
def test_it_has_neither_the_sockets_nor_the_log(process: Process) -> None:
    value, label = secrets.token_bytes(16), f"mark {secrets.token_hex(20)}"
    process.say(Kind.ALLOCATE, {"storage": 1, "spec": SPEC, "stream": 0})
    process.say(Kind.UPLOAD, {"id": 1, "storage": 1, "spec": SPEC, "stream": 0, "label": "x"}, value)
    process.say(Kind.CALL, {"do": "mark", "label": label})
    while label not in [entry.name for entry in process.judge.log()]:
        pass
    assert process.judge.settle().idle
    files = [os.readlink(f"/proc/{process.kernels}/fd/{fd}") for fd in os.listdir(f"/proc/{process.kernels}/fd")]
    assert [name for name in files if name in process.sockets] == []
    assert sum(name.startswith("socket:") for name in files) == 3  # to the keeper: its own, the reader's, stream 0's
    with open(f"/proc/{process.kernels}/maps") as maps:
        assert [line for line in maps if re.search(r" rw?-?x?s ", line) and "memfd:pinned" not in line] == []
    pieces = list(memory_of(process.kernels))
    assert any(value in piece for piece in pieces), "the values are here"
    assert not any(label.encode() in piece for piece in pieces)


@linux
def test_nobody_of_the_same_user_may_look_into_the_keeper() -> None:
    child = os.fork()
    if not child:
        kernels.hide()
        os._exit(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0) + 10)  # PR_GET_DUMPABLE
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 10


@linux
@pytest.mark.parametrize("blow", [signal.SIGSEGV, signal.SIGKILL])
def test_a_crash_ends_in_a_sentence_and_the_log_stays(process: Process, blow: signal.Signals) -> None:
    process.say(Kind.ALLOCATE, {"storage": 1, "spec": SPEC, "stream": 0})
    process.say(Kind.DOWNLOAD, {"id": 1, "storage": 1, "spec": SPEC, "stream": 0, "label": "before"})
    inbox = Inbox(process.front)
    assert inbox.read()[0] == Kind.REPLY
    os.kill(process.kernels, blow)
    while (found := inbox.read())[0] != Kind.REFUSED:
        pass
    sentence = f"a kernel has crashed ({blow.name})"
    assert parse_json(found[1])[0]["why"] == sentence
    state = process.judge.state()
    assert (state.ended, state.crashed) == (sentence, sentence)
    assert [(e.kind, e.name) for e in process.judge.log()] == [
        ("allocate", ""),
        ("download", "before"),
        ("wait", "before"),
    ]
    with pytest.raises(RuntimeError, match="has crashed"):
        process.judge.values(1)
    assert process.judge.memory()["allocated"] == 512


def test_work_that_a_crash_meets_fails_and_whoever_waits_is_told(device: Device) -> None:
    with_a_plan(device)
    device.judge.hold()
    for out in range(2, 40):
        device.raw(Kind.LAUNCH, launch(out=out))
    device.say(Kind.HOST_WAIT, {"id": 1, "label": "wait", "stream": None, "upto": 38})
    assert device.judge.state().number == 38
    os.kill(device.kernels.pid, signal.SIGABRT)
    device.judge.release()
    told = [device.inbox.read() for _ in range(2)]
    assert sorted(kind for kind, _ in told) == [Kind.FAILED, Kind.REFUSED]
    assert all(b"a kernel has crashed (SIGABRT)" in body for _, body in told)
    assert [run.number for run in device.judge.runs()] == list(range(1, 39))
    assert len([e for e in device.judge.log() if e.kind == "error"]) == 38


LIES: dict[str, Callable[[Worker, bytes], bytes]] = {
    "more than was asked": lambda worker, body: b"x",
    "a pickle": lambda worker, body: pickle.dumps(os.getcwd),
    "a long answer": lambda worker, body: b"x" * (1 << 20),
}


@pytest.mark.parametrize("name", LIES)
def test_a_kernel_process_that_answers_something_else_is_stopped(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Worker, "_launch", LIES[name])
    device = Device()
    with_a_plan(device)
    device.raw(Kind.LAUNCH, launch())
    while (found := device.inbox.read())[0] != Kind.REFUSED:
        pass
    assert "the process that runs kernels was stopped: a" in parse_json(found[1])[0]["why"]
    device.judge.settle()
    assert [e.kind for e in device.judge.log()] == ["allocate", "launch", "error"]
    with pytest.raises(ProcessLookupError):
        os.kill(device.kernels.pid, 0)
    device.close()


def heard(data: bytes, count: int = 1, most: int = 0) -> tuple[list[bytes | Exception | None], list[str]]:
    """What a channel makes of some bytes, after which nothing comes."""
    ours, theirs = socket.socketpair()
    why: list[str] = []
    with ours, theirs:
        theirs.sendall(data)
        theirs.shutdown(socket.SHUT_WR)
        return Channel(ours, deque(), lambda text: why.append(text) or "lost").answers(count, most), why


def test_answers_are_of_three_kinds_and_as_long_as_was_asked_for() -> None:
    done, failed = b"".join(message(Answer.DONE, b"12")), b"".join(message(Answer.FAILED, b"no\xff"))
    nothing = b"".join(message(Answer.NOTHING))
    (one, two, three), why = heard(done + failed + nothing, 3, 2)
    assert (one, type(two), str(two), three, why) == (b"12", Failed, "no\ufffd", None, [])
    for lie in (done, HEAD.pack(1 << 31, 0), HEAD.pack(0, 3), HEAD.pack(1, Answer.NOTHING) + b"x"):
        (found,), why = heard(lie)
        assert isinstance(found, Lost) and why != [""], lie
    assert [type(one) for one in heard(nothing + HEAD.pack(9, 0), 2)[0]] == [type(None)]
    assert [type(one) for one in heard(b"", 3)[0]] == [Lost] * 3


def test_many_long_orders_do_not_block_on_a_long_answer() -> None:
    """Each side's messages are more than a socket takes, and the other side reads one order after the other."""

    def answer() -> None:
        inbox = Inbox(theirs, descriptors=False)
        with contextlib.suppress(OSError):
            for _ in orders:
                inbox.read()
                theirs.sendall(b"".join(message(Answer.DONE, bytes(1 << 20))))

    ours, theirs = socket.socketpair()
    orders = [((), b"", {"spec": "x" * (16 << 10)})] * 64
    with ours, theirs:
        other = threading.Thread(target=answer)
        other.start()
        found = Channel(ours, deque(), lambda text: text or "lost").ask_each("read", orders, 1 << 20, 20)
        other.join()
    assert found == [bytes(1 << 20)] * 64


@pytest.mark.parametrize(
    "answer",
    [b"", b"{}x", b"[" * 100_000, b"3", b'[{"tensor": ["float32", [-1], [1], 0]}]', b'[{}]', b'[{"tensor": 1}]',
     json.dumps([{"tensor": SPEC}] * 2).encode()],
)  # fmt: skip
def test_layouts_of_results_that_are_none_are_refused(answer: bytes) -> None:
    with pytest.raises(BadMessage):
        _told(answer, 1)


REPLAYED = {"read": [["float32", [2]]], "told": [], "diverged": [], "faithful": True}


@pytest.mark.parametrize(
    "told",
    [
        {"read": [["float32", [3]]]},
        {"read": [["float32", [-2, -1]]]},
        {"read": [["object", [1]]]},
        {"told": [["float32", [0]]]},
        {"diverged": ["x" * 1000]},
        {"diverged": "x"},
        {"read": 5},
    ],
)
def test_a_replay_that_answers_something_else_is_refused(told: dict) -> None:
    def written(value: object) -> bytes:
        text = json.dumps(value).encode()
        return struct.pack("<I", len(text)) + text + b"12345678"

    assert _parsed(written(REPLAYED), 8)[0] == REPLAYED
    with pytest.raises((BadMessage, ValueError, TypeError, KeyError)):
        _parsed(written(REPLAYED | told), 8)


def test_launches_that_go_together_end_one_by_one(device: Device) -> None:
    with_a_plan(device)
    device.say(Kind.ALLOCATE, {"storage": 90, "spec": ["float32", [1 << 40], [1], 0], "stream": 0})  # it does not fit
    for most in (1, 60):  # the first one makes the next ones be sent together
        device.judge.hold()
        start = device.judge.state()
        for n in range(most):
            bad = most > 1 and n in (20, 40)
            device.raw(Kind.LAUNCH, launch(storage=90 if bad else 1, out=100 * most + n))
        device.judge.release()
        assert device.judge.settle().idle
    runs = device.judge.runs()
    assert [run.number for run in runs] == list(range(1, 62))
    assert all(a.start <= a.end <= b.start for a, b in itertools.pairwise(runs))
    errors = [e.number - start.number for e in device.judge.log() if e.kind == "error"]
    assert errors == [21, 41]


def test_more_streams_than_channels_compute_side_by_side() -> None:
    x = ready(3, value=1.0)
    streams = [gpu.Stream(priority=priority) for priority in (0, -1) for _ in range(30)]
    assert len({stream.stream_id for stream in streams}) > kernels.CHANNELS
    found = []
    for n, stream in enumerate(streams):
        with gpu.stream(stream):
            found.append(x * n)
    wait_everywhere()
    assert torch.stack([one.sum() for one in found]).tolist() == [3 * n for n in range(60)]


def test_a_pinned_copy_brings_what_was_there_when_it_ran() -> None:
    host = torch.arange(4.0).pin_memory()
    judge.need_log()
    there = host.to(DEVICE, non_blocking=True)
    gpu.synchronize()
    judge.need_log(False)
    host.fill_(9)
    assert there.tolist() == [0, 1, 2, 3]
    back = torch.zeros(4).pin_memory()
    back.copy_(there, non_blocking=True)
    gpu.synchronize()
    assert back.tolist() == [0, 1, 2, 3]
