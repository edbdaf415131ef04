"""A notebook cannot fill the judge's memory: every flood of messages ends in a fault at little cost."""

import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import psutil
import pytest

from syncpoint.judge.channel import CHUNK, GREETING, Channel
from syncpoint.judge.errors import DeadKernelError
from syncpoint.judge.kernel import Kernel
from syncpoint.judge.student import Deadline, Student
from syncpoint.observe.errors import NotTested

Start = Callable[..., Kernel]
Ends = tuple[Channel, socket.socket]

MIB = 2**20
BOUND = 300 * MIB  # what the judge's memory may grow by, whatever comes


@contextmanager
def bounded() -> Iterator[None]:
    """The memory of this process, which is the judge, stays in its bound."""
    before = psutil.Process().memory_info().rss
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    yield
    status = Path("/proc/self/status").read_text()
    peak = next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM"))
    print(f"the judge grew by {(peak - before) / MIB:.0f} MiB")
    assert peak - before < BOUND


# --- one channel --------------------------------------------------------------------------------------------------


@pytest.fixture
def ends(tmp_path: Path) -> Iterator[tuple[Channel, socket.socket]]:
    """A channel for messages of 1000 bytes, ready, and the other end of it."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "channel"))
        listener.listen()
        channel = Channel(str(tmp_path / "channel"), "DEALER", 1000)
        other, _ = listener.accept()
        other.sendall(GREETING + command())
        channel.write()
        assert channel.read() == []
        assert channel.ready
        yield channel, other
        other.close()
        channel.close()


def command(body: bytes = b"\x05READY\x0bSocket-Type\x00\x00\x00\x06ROUTER") -> bytes:
    """A command of ZMTP."""
    return bytes([4, len(body)]) + body


def frame(body: bytes, more: bool = False) -> bytes:
    """A long frame of ZMTP."""
    return bytes([2 | more]) + len(body).to_bytes(8, "big") + body


def test_a_message_comes_when_it_is_whole(ends: Ends):
    channel, other = ends
    sent = frame(b"a", more=True) + command(b"\x04PING") + frame(b"b" * 500)
    for byte in sent[:-1]:
        other.sendall(bytes([byte]))
        assert channel.read() == []
    other.sendall(sent[-1:])
    assert channel.read() == [[b"a", b"b" * 500]]


@pytest.mark.parametrize(
    "sent",
    [frame(b"x" * 1001), frame(b"x", more=True) * 1000 + frame(b""), frame(b"x" * 600, more=True) * 2 + frame(b"")],
    ids=["one large frame", "many small frames", "two frames"],
)
def test_a_message_that_is_too_large_is_dropped_and_the_next_one_comes(ends: Ends, sent: bytes):
    channel, other = ends
    other.sendall(sent + frame(b"next"))
    assert channel.read() == [[b"next"]]
    assert channel.spilled > 1000
    assert not channel.lost


@pytest.mark.parametrize("sent", [b"\xff" * 100, b"\x08\x00", b""], ids=["flags", "another flag", "end"])
def test_what_is_no_message_ends_the_channel(ends: Ends, sent: bytes):
    channel, other = ends
    other.sendall(sent)
    if not sent:
        other.close()
    assert channel.read() == []
    assert channel.lost


@pytest.mark.parametrize(
    "greeting",
    [b"GET / HTTP/1.1\r\n" * 10, GREETING.replace(b"NULL", b"PLAI"), GREETING + frame(b"x"), GREETING + command(b"?")],
    ids=["another protocol", "another mechanism", "no command", "another command"],
)
def test_whoever_does_not_greet_is_not_talked_to(tmp_path: Path, greeting: bytes):
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "channel"))
        listener.listen()
        channel = Channel(str(tmp_path / "channel"), "SUB", 1000)
        other, _ = listener.accept()
        other.sendall(greeting)
        assert channel.read() == []
        assert (channel.lost, channel.ready) == (True, False)
        channel.close()
        other.close()


def test_an_unused_channel_is_not_read(tmp_path: Path):
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "channel"))
        listener.listen()
        channel = Channel(str(tmp_path / "channel"), "DEALER", 0)
        other, _ = listener.accept()
        assert channel.events
        other.sendall(GREETING + command())
        channel.read()
        channel.write()
        assert (channel.ready, channel.events) == (True, 0)
        channel.close()
        other.close()


# --- a kernel -----------------------------------------------------------------------------------------------------

# The kernel's own ends of the channels, past its library, which would queue what it is given.
RAW = """
import os, socket, stat, threading, time
def ends():
    found = []
    for name in os.listdir("/proc/self/fd"):
        try:
            if not stat.S_ISSOCK(os.fstat(int(name)).st_mode):
                continue
            end = socket.socket(fileno=os.dup(int(name)))
            if end.family == socket.AF_UNIX and end.type == socket.SOCK_STREAM:
                end.getpeername()
                end.setblocking(True)
                found.append(end)
        except OSError:
            pass
    return found
def everywhere(write):
    for end in ends():
        threading.Thread(target=write, args=(end,), daemon=True).start()
"""
WRITES = {
    "one endless frame": """
def write(end):
    end.sendall(b"\\x03" + (2**60).to_bytes(8, "big"))
    while True: end.sendall(bytes(2**20))
""",
    "endless frames of one message": """
def write(end):
    while True: end.sendall(b"\\x03" + (2**16).to_bytes(8, "big") + bytes(2**16))
""",
    "endless empty frames": """
def write(end):
    while True: end.sendall(b"\\x01\\x00" * 2**15)
""",
    "endless large messages": """
def write(end):
    while True:
        end.sendall(b"\\x02" + (60 * 2**20).to_bytes(8, "big"))
        for _ in range(60): end.sendall(bytes(2**20))
""",
    "endless empty messages": """
def write(end):
    while True: end.sendall(b"\\x00\\x00" * 2**15)
""",
    "messages that never end": """
def write(end):
    end.sendall(b"\\x02" + (63 * 2**20).to_bytes(8, "big"))
    for _ in range(62): end.sendall(bytes(2**20))
    while True: end.sendall(b"x"); time.sleep(0.01)
""",
    "commands": """
def write(end):
    while True: end.sendall(b"\\x06" + (60 * 2**20).to_bytes(8, "big") + bytes(2**20))
""",
    "garbage": """
def write(end):
    while True: end.sendall(os.urandom(2**16))
""",
    "greetings": f"""
def write(end):
    while True: end.sendall({GREETING!r})
""",
}


# With the kernel's own session: what it signs is read.
SESSION = """
kernel = get_ipython().kernel
session, parent = kernel.session, kernel.get_parent("shell")
"""
SIGNED = {
    "a long kind of message": 'session.send(kernel.iopub_socket, "k" * 2**24, {}, parent=parent)',
    "a long header": 'session.send(kernel.iopub_socket, "stream", {}, parent={**parent, "x": "y" * 2**24})',
    "deep content": 'session.send(kernel.iopub_socket, "stream", b"[" * 2**22, parent=parent)',
    "a pickle": (
        'session.send(kernel.iopub_socket, "display_data", {"data": {"application/x-pickle": "x" * 2**25}, '
        '"metadata": {}}, parent=parent)'
    ),
    "content of empty lists": (
        'session.send(kernel.iopub_socket, "stream", b"{\\"a\\": [" + b"[]," * 2_600_000 + b"0]}", parent=parent)'
    ),
    "content of small dicts": (
        'session.send(kernel.iopub_socket, "stream", b"{\\"a\\":[" + b"{\\"b\\":0}," * 490_000 + b"0]}", parent=parent)'
    ),
    "content of names": (
        'session.send(kernel.iopub_socket, "stream", b"{" + b",".join(b"\\"%d\\":0" % i for i in range(690_000)) + '
        'b"}", parent=parent)'
    ),
}


def outcome(kernel: Kernel, source: str, seconds: float = 20) -> str:
    """The kind of fault that a cell has; "" for none."""
    try:
        fault = kernel.execute(source, seconds).fault
    except DeadKernelError as gone:
        fault = gone.fault
    return fault.kind if fault else ""


@pytest.mark.sample(1)
@pytest.mark.parametrize("flood", WRITES)
def test_a_flood_of_all_channels_is_a_fault_and_takes_no_memory(start: Start, flood: str):
    kernel = start()
    with bounded():
        found = outcome(kernel, RAW + WRITES[flood] + "everywhere(write)\ntime.sleep(1000)")
    assert found in ("output", "messages", "hang", "timeout")


@pytest.mark.sample(1)
@pytest.mark.parametrize("flood", ["one endless frame", "endless large messages"])
@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_flood_of_one_channel_takes_no_memory(start: Start, flood: str, number: int):
    kernel = start()
    with bounded():
        outcome(kernel, RAW + WRITES[flood] + f"write(ends()[{number}])", 5)


@pytest.mark.parametrize("kind", SIGNED)
def test_no_message_costs_far_more_memory_than_it_has_bytes(start: Start, kind: str):
    kernel = start()
    with bounded():
        outcome(kernel, SESSION + SIGNED[kind], 300)  # others may have the processors for a while
        assert kernel.execute("print(6 * 7)", 300).stdout == "42\n"


@pytest.mark.exhaustive
def test_what_nobody_reads_waits_in_the_sandbox(start: Start):
    kernel = start(memory_mib=700)
    flood = RAW + WRITES["endless large messages"] + "threading.Timer(0.5, everywhere, (write,)).start()"
    with bounded():
        kernel.execute(flood, 300)
        threading.Event().wait(3)  # the flood comes between the cells
        outcome(kernel, "1", 3)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "flood", ["endless frames of one message", "endless large messages", "messages that never end"]
)
def test_a_flood_while_a_function_is_tested_fails_the_test_and_takes_no_memory(start: Start, flood: str):
    kernel = start()
    kernel.execute(RAW + WRITES[flood] + "def f(x):\n    everywhere(write)\n    time.sleep(1000)", 300)
    with bounded(), pytest.raises((NotTested, DeadKernelError)):
        Student(kernel, Deadline(8)).call("f", 1)


def test_a_cut_connection_is_blamed_on_the_notebook(start: Start):
    kernel = start()
    with pytest.raises(DeadKernelError, match="closed its connection to the grader"):
        kernel.execute(RAW + "for end in ends(): end.shutdown(socket.SHUT_RDWR)\ntime.sleep(1000)", 300)


# --- large replies ------------------------------------------------------------------------------------------------


def test_a_large_reply_comes_and_a_larger_one_fails_its_test_alone(kernel: Kernel):
    kernel.execute("import numpy\ndef zeros(mib):\n    return numpy.zeros(mib * 2**20, 'u1')", 300)
    with bounded():
        kernel.begin_exercise(20)
        student = Student(kernel, Deadline(60))
        assert student.call("zeros", 30).returned.nbytes == 30 * MIB
        with pytest.raises(NotTested, match="sent the grader too much data and was stopped"):
            student.call("zeros", 65)
        assert np.array_equal(student.call("zeros", 1).returned, np.zeros(MIB, "u1"))


def test_the_replies_to_one_exercise_have_a_bound_and_the_next_one_begins_anew(kernel: Kernel):
    kernel.execute("import numpy\ndef zeros(mib):\n    return numpy.zeros(mib * 2**20, 'u1')", 300)
    kernel.begin_exercise(20)
    student = Student(kernel, Deadline(60))
    for _ in range(3):
        student.call("zeros", 60)
    with pytest.raises(NotTested, match="192 MiB in the tests of an exercise"):
        student.call("zeros", 60)
    kernel.begin_exercise(20)
    assert student.call("zeros", 60).returned.nbytes == 60 * MIB


class Over(Exception):
    """A test has used up its processor time."""


class Ringing(socket.socket):
    """In the midst of a long message, the limit of the test that reads it is reached."""

    rings = False

    def recv(self, *arguments: int) -> bytes:
        """Read, then have the signal sent that ends a test."""
        received = super().recv(*arguments)
        if Ringing.rings and len(received) == CHUNK:
            signal.raise_signal(signal.SIGPROF)
        return received


def test_a_test_that_is_ended_while_it_reads_leaves_the_channel_whole(start: Start, monkeypatch: pytest.MonkeyPatch):
    def ring(number: int, frame: object) -> None:
        raise Over

    monkeypatch.setattr("syncpoint.judge.channel.socket.socket", Ringing)
    kernel = start()
    usual = signal.signal(signal.SIGPROF, ring)
    try:
        monkeypatch.setattr(Ringing, "rings", True)
        with pytest.raises(Over):
            kernel.execute("print('a' * 500_000)", 60)
    finally:
        monkeypatch.setattr(Ringing, "rings", False)
        signal.signal(signal.SIGPROF, usual)
    assert kernel.execute("print('whole')", 60).stdout == "whole\n"
