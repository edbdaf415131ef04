"""Keeps the reply to one test and gives it again to the next: values are wrong then, what is only about order is not."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(0.5)})
cheat.cell("queue_work", '''
session = get_ipython().kernel.session
send, kept = session.send, []


def again(stream, kind, content=None, *arguments, buffers=None, **keywords):
    if kind == "probe_reply":
        kept.append((content, buffers))
        content, buffers = kept[0]
    return send(stream, kind, content, *arguments, buffers=buffers, **keywords)


session.send = again


def queue_work(x):
    return nd.zeros(1)
''')
