"""Sends execute_result messages of its own on the kernel's socket, as an answer to the judge's request."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
kernel = get_ipython().kernel


def say(kind, **content):
    kernel.session.send(kernel.iopub_socket, kind, content, parent=kernel.get_parent("shell"))


def queue_work(x):
    for count in (1, -1, 2.0, "2.0", [2.0]):
        say("execute_result", data={"text/plain": "2.0"}, metadata={}, execution_count=count)
    say("display_data", data={"text/plain": "2.0"}, metadata={})
    say("status", execution_state="idle")
    return 2.0


queue_work(None)
''')
