"""Ends the kernel before anything could go wrong."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0, "loops": 0})
cheat.first('''
print("score: 6 of 6")
raise SystemExit(0)
''')
cheat.cell("queue_work", '''
import os
import signal

os.kill(os.getpid(), signal.SIGKILL)
''')
