"""Submits a notebook whose grade cells already show the points."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0, "loops": 0})
cheat.outputs("test_queue_work", [{"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": {"text/plain": "2.0"}}])
cheat.outputs("test_loops", [
    {"output_type": "stream", "name": "stdout", "text": "4.0"},
    {
        "output_type": "display_data",
        "metadata": {},
        "data": {"text/plain": "4.0", "text/html": "4 of 4 points"},
    },
])
