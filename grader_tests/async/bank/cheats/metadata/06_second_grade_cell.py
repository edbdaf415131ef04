"""A grade cell of its own, with the same id, stands before the real one."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.copy("test_queue_work", '''
2.0
''')
