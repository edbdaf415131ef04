"""Takes from every Python that finds this folder what Windows or macOS lack. It is no such system."""

import os
import signal
import socket
import sys

import torch  # noqa: F401  # it asks for some of them by the name of the system

for place, names in (
    (socket, "AF_UNIX SCM_RIGHTS MSG_DONTWAIT send_fds recv_fds"),
    (os, "memfd_create fork forkpty register_at_fork sysconf pidfd_open"),
    (signal, "SIGALRM setitimer alarm"),
):
    for name in names.split():
        delattr(place, name)
for name in ("sendmsg", "recvmsg"):  # methods of a C type cannot be deleted

    def missing(self):
        raise AttributeError

    setattr(socket.socket, name, property(missing))


def socketpair():
    """As Python makes one where the system has none."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        one = socket.create_connection(server.getsockname())
        return one, server.accept()[0]


socket.socketpair = socketpair
sys.modules["fcntl"] = sys.modules["resource"] = None
listdir = os.listdir
os.listdir = lambda path=".": [] if str(path).startswith("/proc") else listdir(path)
