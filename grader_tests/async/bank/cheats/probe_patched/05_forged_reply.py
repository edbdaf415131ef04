"""Sends a reply of its own through the kernel's session, which has the key, before the probe's."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
kernel = get_ipython().kernel
assert kernel.session.key


def queue_work(x):
    parent = kernel.get_parent("shell")
    reply = {"error": None, "returned": {"float": "nan"}, "arguments_after": [], "inputs_after": [], "pending": ["all"]}
    kernel.session.send(kernel.shell_stream, "probe_reply", reply, parent=parent, ident=[])
    return None
''')
