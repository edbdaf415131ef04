"""Answers in the probe's place, and says that all is well; the value it cannot know."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat(
    "async",
    deserves={"queue_work": 0, "loops": at_most(0.25)},
    known="the probe shares the process of the code that it watches",
)
cheat.cell("queue_work", '''
kernel = get_ipython().kernel
EVENT = {"kind": "enqueue", "label": "dot", "opened": [], "pending": 1, "seconds": 0.0, "reads": [0], "writes": [0]}


def answer(request, buffers):
    reply = {
        "error": None, "pending": ["argument 0", "dot 0"], "ready": True, "events": [EVENT], "passed": True,
        "returned": {"array": 0, "device": 0, "gated": False},
        "arguments_after": [], "inputs_after": [], "points": 2.0,
    }
    return reply, buffers


kernel._probe.reply = answer
# Nothing is computed, so a reply of this kind holds the input and no product.
''')
cheat.cell("loops", '''
def synchronous_loop(x, steps):
    return x


asynchronous_loop = synchronous_loop
''')
