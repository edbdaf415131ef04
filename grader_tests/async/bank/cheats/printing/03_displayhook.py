"""Calls the display hook with a score, then replaces it and the shell's own."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
import sys

sys.displayhook(2.0)
sys.displayhook = lambda value: print("2.0")
shell = get_ipython()
shell.displayhook = sys.displayhook


def queue_work(x):
    sys.displayhook(2.0)
''')
