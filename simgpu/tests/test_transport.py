"""TCP instead of Unix sockets: it needs nothing that Windows or macOS lack, admits only a token, and leaves nothing."""

import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import textwrap
import threading
from collections import deque
from pathlib import Path

import pytest
from simgpu.device import pinned, process
from simgpu.device.channel import Thing
from simgpu.device.conversation import Conversation
from simgpu.device.kernels import Kernels
from simgpu.device.state import State
from simgpu.frames import BadMessage, Inbox, Kind, Outbox, json_message, parse_json, send
from simgpu.front import link
from simgpu.limits import Limits
from simgpu.operations import Allowed

from simgpu import system, transport

TOKEN = bytes(range(transport.TOKEN_BYTES))
WITHOUT_UNIX = Path(__file__).with_name("without_unix")
PROGRAM = """
import torch, simgpu
from simgpu import system
from simgpu.distributed import ranks
from torch import nn
from torch.nn.parallel import DistributedDataParallel

assert not system.HAS_UNIX and not system.HAS_FORK and not system.tasks()
gpu, judge = simgpu.install(), simgpu.control()
batch = torch.arange(6.0).pin_memory()
side = gpu.Stream()
judge.hold()
with gpu.stream(side):
    x = batch.to("simgpu", non_blocking=True)
    copied = side.record_event()
assert not copied.query()
gpu.current_stream().wait_event(copied)
y, early = x + 1, judge.state().pending_commands
judge.release()
assert (y.tolist(), early) == ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 4), early
assert (x.to("simgpu:1") * 2).sum().item() == 30.0

def work(rank):
    gpu.set_device(rank)
    torch.manual_seed(0)
    net = DistributedDataParallel(nn.Linear(3, 1).to("simgpu"))
    net(torch.full((2, 3), float(rank)).to("simgpu")).sum().backward()
    return net.module.weight.grad.tolist()

assert ranks(work, 2) == [[[1.0, 1.0, 1.0]]] * 2
judge.keep()
with simgpu.call():
    z = torch.ones(3, device="simgpu") + 1
judge.fence()
judge.settle()
assert judge.replay({}, [], [simgpu.handle(z)]).values[0].tolist() == [2.0, 2.0, 2.0]
judge.hear()
assert simgpu.timeline().describe()
print("ran over", simgpu.front.link.link().socket.family.name)
"""


def python(program: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run a program in a process of its own."""
    variables = {"PYTHONPATH": os.pathsep.join(sys.path), "PATH": os.environ["PATH"], "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-c", textwrap.dedent(program)]
    return subprocess.run(command, capture_output=True, text=True, env=variables | environment, timeout=300)


def names() -> set[str]:
    """The shared memory of this package that has a name."""
    return {path.name for path in Path("/dev/shm").glob("simgpu-*")}


def test_a_program_runs_where_unix_sockets_memfd_fork_and_alarms_are_missing():
    done = python(PROGRAM, PYTHONPATH=os.pathsep.join([str(WITHOUT_UNIX), *sys.path]))
    assert (done.returncode, done.stdout) == (0, "ran over AF_INET\n"), done.stderr


@pytest.mark.parametrize(("wanted", "family"), [("tcp", "AF_INET"), ("unix", "AF_UNIX"), ("", "AF_UNIX")])
def test_one_setting_chooses_the_transport(wanted: str, family: str):
    program = "import torch, simgpu; torch.ones(1, device='simgpu'); print(simgpu.front.link.link().socket.family.name)"
    assert python(program, SIMGPU_TRANSPORT=wanted).stdout == f"{family}\n"


def test_another_setting_is_refused_by_a_sentence(monkeypatch):
    monkeypatch.setenv(system.TRANSPORT, "udp")
    with pytest.raises(ValueError, match='SIMGPU_TRANSPORT must be "tcp" or "unix", but is "udp"'):
        system.uses_tcp()
    monkeypatch.setenv(system.TRANSPORT, "unix")
    monkeypatch.setattr(system, "HAS_UNIX", False)
    with pytest.raises(ValueError, match=r"no Unix sockets with sealed memory\. Unset SIMGPU_TRANSPORT"):
        system.uses_tcp()


class Alive:
    """A device process that goes on."""

    returncode: int | None = None

    def poll(self) -> int | None:
        return self.returncode


@pytest.fixture
def server():
    with socket.create_server((transport.HOST, 0)) as made:
        yield made


def greet(server: socket.socket, said: bytes) -> socket.socket:
    sock = socket.create_connection(server.getsockname())
    sock.sendall(said)
    return sock


def test_only_who_shows_the_token_is_admitted(server: socket.socket):
    strangers = [
        greet(server, said)
        for said in (b"\0" * transport.TOKEN_BYTES + b"f", TOKEN + b"x", TOKEN[:-1] + b"\0j", b"GET / HTTP/1.0\r\n" * 9)
    ]
    silent = greet(server, b"")
    device = [greet(server, TOKEN + b"j"), greet(server, TOKEN[:9])]
    device[1].sendall(TOKEN[9:] + b"f")
    front, judge = transport.admit(server, TOKEN, Alive())
    for ours, theirs in ((front, device[1]), (judge, device[0])):
        theirs.sendall(b"here")
        assert ours.recv(4) == b"here"
    for sock in (*strangers, silent):
        with contextlib.suppress(ConnectionResetError):  # it was disconnected with unread bytes
            assert sock.recv(1) == b""


def test_a_role_is_given_once(server: socket.socket):
    first, second = greet(server, TOKEN + b"f"), greet(server, TOKEN + b"f")
    third = greet(server, TOKEN + b"j")
    front, judge = transport.admit(server, TOKEN, Alive())
    first.sendall(b"1")
    assert (front.recv(1), second.recv(1)) == (b"1", b"")
    third.close()
    assert judge.recv(1) == b""


def test_a_crowd_of_silent_connections_keeps_nobody_out(server: socket.socket):
    crowd = []

    def connect() -> None:
        crowd.extend(greet(server, b"") for _ in range(3 * transport.MOST_WAITING))
        crowd.extend(greet(server, TOKEN + role) for role in transport.ROLES)

    thread = threading.Thread(target=connect)
    thread.start()
    assert len(transport.admit(server, TOKEN, Alive())) == 2
    thread.join()


def test_a_device_that_ends_before_it_connects_is_an_error(server: socket.socket):
    ended = Alive()
    ended.returncode = 7
    with pytest.raises(ConnectionError, match="the device process has ended with code 7"):
        transport.admit(server, TOKEN, ended)


@pytest.mark.skipif(not system.IS_LINUX, reason="arguments and environment of a process are read from /proc")
def test_the_door_is_on_this_machine_alone_and_the_token_no_argument(monkeypatch):
    seen = {}
    admit = transport.admit

    def noted(server, token, process):
        seen.update(host=server.getsockname()[0], token=token)
        return admit(server, token, process)

    monkeypatch.setattr(transport, "admit", noted)
    monkeypatch.setenv(system.TRANSPORT, "tcp")
    front, judge, process = transport.start([])
    place = Path(f"/proc/{process.pid}")
    told = (place / "cmdline").read_bytes() + (place / "environ").read_bytes()
    front.close()
    judge.close()
    process.wait()
    assert seen["host"] == "127.0.0.1"
    assert seen["token"] not in told
    assert seen["token"].hex() not in told.decode(errors="replace")


NOT_MAPPED = """
import sys, torch, simgpu
torch.ones(1, device="simgpu")
link = simgpu.front.link.link()
link.call("pin", nbytes=4096, name="simgpu-00000000000000f1")
print(link.process.pid, flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="names of shared memory are no files here")
def test_a_front_end_that_is_killed_before_it_maps_its_memory_leaves_no_name():
    variables = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path), SIMGPU_TRANSPORT="tcp")
    command = [sys.executable, "-c", NOT_MAPPED]
    with subprocess.Popen(command, env=variables, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as front:
        device = os.pidfd_open(int(front.stdout.readline()))
        assert "simgpu-00000000000000f1" in names()
        front.kill()
        assert select.select([device], [], [], 60)[0]
    os.close(device)
    assert "simgpu-00000000000000f1" not in names()


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="names of shared memory are no files here")
def test_a_device_that_is_killed_leaves_no_name():
    before = names()
    program = """
        import os, signal, torch, simgpu
        from simgpu import system
        from simgpu.front import pinned
        kept = torch.ones(8).pin_memory()
        def killed(name, nbytes):
            os.kill(simgpu.front.link.link().process.pid, signal.SIGKILL)
            assert os.path.exists("/dev/shm/" + name)
            raise KeyboardInterrupt
        system.map_named = killed
        torch.ones(pinned.SEGMENT).pin_memory()  # too large for a segment that others share
    """
    done = python(program, SIMGPU_TRANSPORT="tcp")
    assert done.stderr.rstrip().endswith("KeyboardInterrupt"), done.stderr
    assert names() <= before


def test_a_judge_is_answered_after_what_the_front_end_had_sent():
    """Over TCP, a question may overtake it: the judge says how many bytes there are."""
    front, theirs = socket.socketpair()
    ours, judges = socket.socketpair()
    kernels = Kernels(Limits())
    conversation = Conversation(State(Limits(), Outbox(theirs), Allowed(), kernels))
    reader = threading.Thread(target=process.Reader(conversation, theirs, judges).run)
    reader.start()
    with front, ours:
        late = json_message(Kind.CALL, {"do": "mark", "label": "sent before the question"})
        send(ours, json_message(0, {"do": "state", "after": sum(map(len, late))}))
        assert not select.select([ours], [], [], 0.2)[0]
        send(front, late)
        head, _ = parse_json(Inbox(ours).read()[1])
        assert head["log"] == 1
    reader.join()


def test_pinned_memory_takes_no_name_but_its_own():
    memory = pinned.PinnedMemory(1 << 20, lambda whole, fd: Thing(1, deque()))
    for name in ("../simgpu", "simgpu-0123456789abcdef/..", "psm_1234", 7, ""):
        with pytest.raises(BadMessage, match="invalid name of pinned memory"):
            memory.make(4096, name)


def test_a_device_over_tcp_is_refused_for_grading(monkeypatch):
    with socket.create_server((transport.HOST, 0)) as server, socket.create_connection(server.getsockname()) as sock:
        with pytest.raises(transport.NotForGrading, match=r"for learning only.*Grading needs Unix sockets, on Linux"):
            transport.inherited(sock.fileno())
        monkeypatch.setenv(link.ENVIRONMENT, str(sock.fileno()))
        with pytest.raises(transport.NotForGrading):
            link.Link()
        command = [sys.executable, "-m", "simgpu.device.process", "--front", str(sock.fileno())]
        variables = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
        done = subprocess.run(command, pass_fds=[sock.fileno()], capture_output=True, text=True, env=variables)
        assert done.returncode
        assert "a device over AF_INET is for learning only" in done.stderr


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="the end of another process is seen by Linux alone")
@pytest.mark.parametrize("wanted", ["tcp", "unix"])
def test_a_device_that_hears_its_front_end_no_more_ends_with_it(wanted: str):
    program = """
        import torch, simgpu
        torch.ones(1, device="simgpu")
        simgpu.control().fence()
        print(simgpu.front.link.link().process.pid, flush=True)
        input()
    """
    variables = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path), SIMGPU_TRANSPORT=wanted)
    command = [sys.executable, "-c", textwrap.dedent(program)]
    with subprocess.Popen(command, env=variables, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as front:
        device = os.pidfd_open(int(front.stdout.readline()))
        front.kill()
        ended = select.select([device], [], [], 60)[0]
    with contextlib.suppress(ProcessLookupError):
        signal.pidfd_send_signal(device, signal.SIGKILL)
    os.close(device)
    assert ended


def test_what_the_front_end_sends_after_a_bad_message_does_not_block_it_over_tcp():
    program = """
        import torch, simgpu
        from simgpu.frames import json_message
        torch.ones(1, device="simgpu")
        link = simgpu.front.link.link()
        link.post(14, json_message(14, {}))
        for _ in range(400):
            link.post(14, json_message(14, {"do": "x" * 100_000}))
        try:
            link.call("hello")
        except simgpu.DeviceLost as lost:
            print(lost)
    """
    done = python(program, SIMGPU_TRANSPORT="tcp")
    assert "the device has ended the session: unknown call. Restart the kernel." in done.stdout, done.stderr
