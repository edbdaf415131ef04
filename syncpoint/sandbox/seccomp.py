"""The filter of system calls: refuses, with EPERM, calls that no notebook needs or that evade the limits.

A deny list, in the machine language of classic BPF that seccomp(2) takes; bubblewrap loads it before the kernel starts.
"""

import contextlib
import errno
import os
import struct
from collections.abc import Iterator

from .memory import opened

# Name -> its number on x86-64 and on aarch64, from Linux's own tables.
REFUSED: dict[str, tuple[int, int]] = {
    # Memory that belongs to no process, so that nothing counts it without a control group.
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    # Looking into other processes, also those of the sandbox itself.
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    # Scarce resources that all processes of a user share, also the operator's own.
    "inotify_init": (253, 26),  # aarch64 has only the second one
    "inotify_init1": (294, 26),
    "fanotify_init": (300, 262),
    # Changes to another process that outlive this one.
    "ioprio_set": (251, 30),
    "sched_setattr": (314, 274),
    # Large parts of Linux with a history of security holes.
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
}
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # AUDIT_ARCH_... of linux/audit.h
X32 = 0x40000000  # x86-64 has each call again from this number on

# Sockets of other families reach what namespaces do not isolate, such as the host of a virtual machine.
SOCKET = (41, 198)
FAMILIES = (1, 2, 10, 16)  # Unix, IPv4, IPv6, and Linux's own answers about them

LOAD, EQUAL, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16  # offsets in struct seccomp_data
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | errno.EPERM


def refused_numbers(machine: str) -> list[int]:
    """Return the numbers of the refused calls. Raises ValueError for a machine that is not in ``ARCHITECTURES``."""
    column = list(ARCHITECTURES).index(machine)
    return [numbers[column] for numbers in REFUSED.values()]


def program(machine: str, granted: tuple[str, ...] = ()) -> bytes:
    """Return the filter for a machine type (``os.uname().machine``) without the granted calls. Raises ValueError."""
    column = list(ARCHITECTURES).index(machine)
    granted_numbers = {REFUSED[name][column] for name in granted}
    checks = [(AT_LEAST, X32)] if machine == "x86_64" else []
    checks += [(EQUAL, number) for number in refused_numbers(machine) if number not in granted_numbers]
    # The families of sockets, one after the other: the first match jumps to the permission.
    families = [_step(EQUAL, family, then=len(FAMILIES) - place) for place, family in enumerate(FAMILIES)]
    rest = [
        _step(EQUAL, SOCKET[list(ARCHITECTURES).index(machine)], otherwise=len(families) + 2),  # to the permission
        _step(LOAD, FIRST_ARGUMENT),
        *families,
        _step(RETURN, REFUSE),
        _step(RETURN, ALLOW),
        _step(RETURN, REFUSE),
    ]
    refusal = len(rest) - 1
    code = [
        _step(LOAD, ARCHITECTURE),
        _step(EQUAL, ARCHITECTURES[machine], otherwise=1 + len(checks) + refusal),  # 32-bit calls
        _step(LOAD, NUMBER),
    ]
    # Each check jumps over the remaining checks and the rest, to the last refusal.
    code += [_step(kind, value, then=len(checks) - 1 - place + refusal) for place, (kind, value) in enumerate(checks)]
    return b"".join([*code, *rest])


@contextlib.contextmanager
def opened_filter(granted: tuple[str, ...] = ()) -> Iterator[list[int]]:
    """The open file descriptor of the filter for this machine, or none for an architecture without one."""
    machine = os.uname().machine
    if machine not in ARCHITECTURES:
        yield []
        return
    with opened(program(machine, granted)) as file:
        yield [file.fileno()]


def _step(kind: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    """One instruction (struct sock_filter), with the number of steps to skip if it holds, and if it does not."""
    return struct.pack("HBBI", kind, then, otherwise, value)
