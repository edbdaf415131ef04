"""Asks the device for its log by hand, in a thread, and counts at which pick of rows it says that one has failed."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"late_errors": at_most(1)})
cheat.cell("late_errors", '''
import threading

from simgpu.front.link import link


def read(found, since):
    while more := link().call("log", since=since + len(found), ran=1 << 60)[0]:
        found += more


def late_errors(make_lines):
    old, new, raised = [], [], None
    read(old, 0)
    for number, line in enumerate(make_lines()):
        try:
            line()
        except RuntimeError:
            raised = number
    try:
        gpu.synchronize()
    except RuntimeError:
        pass
    reader = threading.Thread(target=read, args=(new, len(old)))
    reader.start()
    reader.join()
    picks = [entry[1] for entry in new if entry[0] == "launch" and "embedding" in entry[3]]
    failed = [entry[1] for entry in new if entry[0] == "error"]
    return raised, picks.index(failed[0]) if failed and failed[0] in picks else None
''')
