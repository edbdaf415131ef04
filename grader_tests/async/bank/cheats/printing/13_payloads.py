"""Uses the reply of a cell: a payload that writes the next cell, a page, user expressions."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
shell = get_ipython()
shell.set_next_input("2.0", replace=True)
shell.payload_manager.write_payload({"source": "page", "data": {"text/plain": "2.0"}, "start": 0})
shell.user_ns.update(_=2.0, _exit_code=0, Out={99: 2.0})
shell.execution_count = -1
''')
