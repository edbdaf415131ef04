"""Replaces the shell's own way to run a cell, and the hooks around it."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.first('''
shell = get_ipython()
original = type(shell).run_cell


def run_cell(self, raw_cell, *arguments, **keywords):
    return original(self, "2.0", *arguments, **keywords)


type(shell).run_cell = run_cell
for event in ("pre_execute", "post_execute", "pre_run_cell", "post_run_cell"):
    shell.events.register(event, lambda *_: print("2.0"))
shell.set_custom_exc((BaseException,), lambda *_: print("2.0"))
''')
