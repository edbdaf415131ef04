"""Stops every process that it may signal, and then itself, while its test runs."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("multi_gpu", deserves={"get_params": 2, "split_and_load": at_most(3)}, solves=["get_params"])
cheat.cell("split_and_load", r'''
import os
import threading
import signal


def split_and_load(data, ctx):
    """Stops the whole process, half a second from now, and everything that it may signal."""
    def stop():
        time.sleep(0.5)
        os.kill(-1, signal.SIGSTOP)
        os.kill(os.getpid(), signal.SIGSTOP)

    threading.Thread(target=stop, daemon=True).start()
    return [data[i :: len(ctx)].as_in_context(c) for i, c in enumerate(ctx)]
''')
