"""Gives each temporary to a thread that sleeps for ever, where no list of the program's shows it."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"memory_reuse": at_most(2.67)})
cheat.cell("memory_reuse", '''
import threading


def memory_reuse(x, work, side):
    t = x * 2
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        result = work(t)
    threading.Thread(target=lambda kept: threading.Event().wait(), args=(t,), daemon=True).start()
    return result
''')
