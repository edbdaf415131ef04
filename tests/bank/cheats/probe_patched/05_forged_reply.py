# Sends a reply of its own, with the key of the connection file, before the probe's.
# assignment: async
# deserves: queue_work=0
# %% cell queue_work
import json

key = json.load(open("/opt/syncpoint/connection.json"))["key"].encode()
kernel = get_ipython().kernel
assert kernel.session.key == key


def queue_work(x):
    parent = kernel.get_parent("shell")
    reply = {"error": None, "returned": {"float": "nan"}, "arguments_after": [], "inputs_after": [], "pending": ["all"]}
    kernel.session.send(kernel.shell_stream, "probe_reply", reply, parent=parent, ident=[])
    return None
