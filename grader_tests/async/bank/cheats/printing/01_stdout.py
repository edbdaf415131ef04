"""Prints a score in every form that a grader might look for."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0, "loops": 0})
cheat.cell("queue_work", r'''
print("score: 2 / 2")
print("2.0")
print('{"points": 2, "max_points": 2, "passed": true}')
print("test_queue_work PASSED [100%]\n\n1 passed in 0.01s")


def queue_work(x):
    print(2.0)
    return 2.0
''')
cheat.before("test_queue_work", '''
2.0
''')
cheat.after("test_queue_work", '''
2.0
''')
