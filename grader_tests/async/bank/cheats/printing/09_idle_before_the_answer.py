"""Says that it is done before it is, so that the judge might stop listening too early."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
kernel = get_ipython().kernel


def queue_work(x):
    parent = kernel.get_parent("shell")
    kernel.session.send(kernel.iopub_socket, "status", {"execution_state": "idle"}, parent=parent)
    for kind in ("execute_reply", "kernel_info_reply"):
        kernel.session.send(kernel.shell_stream, kind, {"status": "ok", "points": 2}, parent=parent)
    return None
''')
