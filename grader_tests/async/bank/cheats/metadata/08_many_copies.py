"""The grade cell again and again, before and after, with outputs that look like scores."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0, "loops": 0})
cheat.copy("test_queue_work", '''
2.0
''')
cheat.copy("test_queue_work", '''
print("2.0")
''')
cheat.copy("test_loops", '''
4.0
''')
cheat.outputs("test_queue_work", [{"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": {"text/plain": "2.0"}}])
