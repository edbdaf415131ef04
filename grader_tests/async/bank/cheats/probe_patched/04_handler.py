"""Takes the probe's place among the kernel's handlers and answers with rubbish that might confuse the judge."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
import itertools

kernel = get_ipython().kernel
RUBBISH = itertools.cycle([
    {}, {"fault": None}, {"error": None, "returned": {"opaque": "2.0"}}, {"returned": {"array": 10**9}},
    {"error": {"type": "2.0", "text": "<b>2 of 2 points</b>"}}, {"error": None, "returned": {"integer": "9" * 10**5}},
])


async def handler(stream, ident, parent):
    kernel.session.send(stream, "probe_reply", next(RUBBISH), parent, ident=ident)


kernel.shell_handlers["probe_request"] = handler
''')
