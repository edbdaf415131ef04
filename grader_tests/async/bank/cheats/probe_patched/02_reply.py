"""Patches the probe's answer: whatever was seen, the reply says that nothing waited."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat(
    "async",
    deserves={"queue_work": 0.25},
    known="the probe shares the process of the code that it watches",
)
cheat.cell("queue_work", '''
probe = type(get_ipython().kernel._probe)
honest = probe.reply


def answer(self, request, buffers):
    reply, out = honest(self, request, buffers)
    reply.update(pending=["argument 0"], issue_seconds=0.0)
    return reply, out


probe.reply = answer


def queue_work(x):
    y = nd.dot(x, x).sum()
    y.wait_to_read()
    return y
''')
