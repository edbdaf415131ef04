"""Wraps the session: every reply is read and changed before it leaves."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat(
    "async",
    deserves={"queue_work": 0.25},
    known="the probe shares the process of the code that it watches",
)
cheat.cell("queue_work", '''
import json

session = get_ipython().kernel.session
send = session.send


def mend(stream, kind, content=None, *arguments, **keywords):
    if kind == "probe_reply":
        content = {**json.loads(content), "pending": ["argument 0"]}
    return send(stream, kind, content, *arguments, **keywords)


session.send = mend


def queue_work(x):
    y = nd.dot(x, x).sum()
    y.wait_to_read()
    return y
''')
