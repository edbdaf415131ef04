"""How a process and its device find each other: a pair of Unix sockets, or loopback TCP with a token.

Unix sockets pass pinned memory as sealed descriptors. TCP needs nothing that Windows or macOS lack: there the memory
has a name. A front end could shrink such memory, so that only Unix sockets are for grading.
"""

import hmac
import os
import secrets
import select
import socket
import subprocess
import sys
import threading
from typing import Any

from simgpu import system

HOST, TOKEN_BYTES = "127.0.0.1", 32
ROLES = (b"f", b"j")
"""What a connection sends after the token: whether it is the front end's or the judge's."""
MOST_WAITING = 16
"""How many connections may not have sent the token yet; a further one replaces the oldest."""
LOOK_SECONDS = 0.2
START_SECONDS = 60.0
COMMAND = [
    sys.executable, "-W", "ignore:simgpu is tested with",  # this process has warned already
    "-m", "simgpu.device.process",
]  # fmt: skip

Ends = tuple[socket.socket, socket.socket, "subprocess.Popen[bytes]"]


class NotForGrading(RuntimeError):
    """The socket of a judged device is not a Unix socket."""


def start(options: list[str]) -> Ends:
    """Start a device.

    Args:
        options: For the device process, in addition to its sockets.

    Returns:
        Our end for the front end, our end for the judge, and the process.

    Raises:
        OSError: the device process ended before it connected.
    """
    return _start_tcp(options) if system.uses_tcp() else _start_unix(options)


def _start_unix(options: list[str]) -> Ends:
    front, theirs = socket.socketpair()
    judge, judges = socket.socketpair()
    fds = theirs.fileno(), judges.fileno()
    command = [*COMMAND, "--front", str(fds[0]), "--judge", str(fds[1]), *options]
    with theirs, judges:
        return front, judge, _popen(command, stdin=subprocess.DEVNULL, pass_fds=fds)


def _start_tcp(options: list[str]) -> Ends:
    token = secrets.token_bytes(TOKEN_BYTES)
    with socket.create_server((HOST, 0), backlog=MOST_WAITING) as server:
        command = [*COMMAND, "--connect", str(server.getsockname()[1]), *options]
        process = _popen(command, stdin=subprocess.PIPE)
        assert process.stdin is not None
        with process.stdin:  # arguments and environment of a process can be read by others
            process.stdin.write(token)
        front, judge = admit(server, token, process)
    return front, judge, process


def _popen(command: list[str], **options: Any) -> "subprocess.Popen[bytes]":
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(p for p in sys.path if p))
    return subprocess.Popen(command, env=environment, **options, **system.BACKGROUND)


def admit(server: socket.socket, token: bytes, process: "subprocess.Popen[bytes]") -> list[socket.socket]:
    """Wait for both connections of a device. A connection without the right token is closed.

    Raises:
        ConnectionError: the process has ended.
    """
    admitted: dict[bytes, socket.socket] = {}
    waiting: dict[socket.socket, bytes] = {}
    try:
        while len(admitted) < len(ROLES):
            ready, _, _ = select.select([server, *waiting], [], [], LOOK_SECONDS)
            if not ready and process.poll() is not None:
                raise ConnectionError(f"the device process has ended with code {process.returncode}")
            for sock in ready:
                if sock is server:
                    new, _ = server.accept()
                    new.setblocking(False)
                    waiting[new] = b""
                    if len(waiting) > MOST_WAITING:
                        _hang_up(waiting, next(iter(waiting)))
                elif sock in waiting:
                    _hear(sock, token, waiting, admitted)
    finally:
        for sock in waiting:
            sock.close()
    return [admitted[role] for role in ROLES]


def _hear(
    sock: socket.socket, token: bytes, waiting: dict[socket.socket, bytes], admitted: dict[bytes, socket.socket]
) -> None:
    try:
        part = sock.recv(TOKEN_BYTES + 1 - len(waiting[sock]))
    except BlockingIOError:
        return
    except OSError:
        part = b""
    said = waiting[sock] = waiting[sock] + part
    shown, role = said[:TOKEN_BYTES], said[TOKEN_BYTES:]
    if part and not role:
        return
    if hmac.compare_digest(shown, token) and role in ROLES and role not in admitted:
        del waiting[sock]
        admitted[role] = _tuned(sock)
    else:
        _hang_up(waiting, sock)


def _hang_up(waiting: dict[socket.socket, bytes], sock: socket.socket) -> None:
    del waiting[sock]
    sock.close()


def connect(port: int) -> tuple[socket.socket, socket.socket]:
    """Return, in the device process, both sockets to a listening front end; the token is in the standard input."""
    token = sys.stdin.buffer.read(TOKEN_BYTES)
    ends = []
    for role in ROLES:
        sock = socket.create_connection((HOST, port), START_SECONDS)
        sock.sendall(token + role)
        ends.append(_tuned(sock))
    return ends[0], ends[1]


def _tuned(sock: socket.socket) -> socket.socket:
    sock.settimeout(None)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock


def inherited(fd: int) -> socket.socket:
    """Return a socket that the grading process has opened.

    Raises:
        NotForGrading: it is no Unix socket.
    """
    sock = socket.socket(fileno=fd)
    if not system.is_unix(sock):
        family = sock.family
        sock.detach()
        raise NotForGrading(
            f"simgpu: a device over {getattr(family, 'name', family)} is for learning only: its pinned memory is not "
            "sealed. Grading needs Unix sockets, on Linux"
        )
    return sock


def hear_no_more(sock: socket.socket) -> None:
    """Stop receiving from the front end; messages of the device still arrive there."""
    if system.is_unix(sock):
        sock.shutdown(socket.SHUT_RD)
    else:  # TCP would fill the buffers until the sender blocks
        threading.Thread(target=_drop, args=(sock,), daemon=True, name="drop").start()


def _drop(sock: socket.socket) -> None:
    try:
        while select.select([sock], [], []) and sock.recv(1 << 16):
            pass
    except (OSError, ValueError):
        pass
