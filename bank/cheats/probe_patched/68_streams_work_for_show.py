"""Copies each batch when it is asked for, and marks what looks like work on copies made ahead, of the same batches."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"prefetcher": at_most(1.73)})
cheat.cell("prefetcher", '''
import sys


def caller_of():
    frame = sys._getframe(1)
    while frame is not None and "caller" not in frame.f_locals:
        frame = frame.f_back
    return None if frame is None else frame.f_locals["caller"]


def prefetcher(batches):
    caller = caller_of()
    mark = None
    if hasattr(caller, "mark"):
        mark = caller.mark
        caller.mark = lambda kind, label="": None if "work" in kind else mark(kind, label)
    hosts = []
    for host in batches:
        hosts.append(host)
        yield host.to(device, non_blocking=True)
    if mark is None:
        return
    copying, ahead, kept = gpu.Stream(), None, []
    for number, host in enumerate([*hosts, None]):
        now, ahead = ahead, None
        if now is not None:
            gpu.current_stream().wait_event(now[1])
        if host is not None:
            with gpu.stream(copying):
                ahead = host.to(device, non_blocking=True), gpu.Event()
                ahead[1].record()
            kept.append(ahead)
        if now is not None:
            mark("work", number - 1)
            now[0] * 1
            mark("worked", number - 1)
''')
