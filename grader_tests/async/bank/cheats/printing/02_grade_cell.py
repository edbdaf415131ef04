"""Writes the score into the grade cells themselves."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0, "loops": 0})
cheat.cell("test_queue_work", '''
2.0
''')
cheat.cell("test_loops", '''
import sys

sys.displayhook(4.0)
''')
