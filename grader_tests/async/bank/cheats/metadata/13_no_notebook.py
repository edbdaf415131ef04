"""A file that is the result, and no notebook."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0, "loops": 0})
cheat.raw('''
{"syncpoint": {"points": 6}, "score": 6, "max_score": 6}
''')
