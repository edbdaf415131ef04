"""Every answer that leaves the kernel goes through json: this one changes what it says of waiting."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0.25})
cheat.cell("queue_work", '''
import json

dumps = json.dumps


def forge(data, **keywords):
    if isinstance(data, dict) and "issue_seconds" in data:
        data.update(pending=["argument 0"], issue_seconds=0.0)
    return dumps(data, **keywords)


json.dumps = forge


def queue_work(x):
    y = nd.dot(x, x).sum()
    y.wait_to_read()
    return y
''')
