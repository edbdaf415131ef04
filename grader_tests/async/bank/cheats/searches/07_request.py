"""Reads the judge's request itself: its arguments, its id, whatever else it says."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
kernel = get_ipython().kernel


def queue_work(x):
    request = kernel.get_parent("shell")
    hints = [request, request["header"], request["content"], request.get("metadata"), request.get("buffers")]
    for hint in hints:
        for word in ("expected", "returned", "answer", "right"):
            if isinstance(hint, dict) and word in hint:
                return nd.array(hint[word])
    return None
''')
