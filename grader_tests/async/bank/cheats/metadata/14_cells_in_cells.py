"""JSON of other shapes than a notebook's."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0, "loops": 0})
cheat.raw('''
{"nbformat": 4, "nbformat_minor": 5, "metadata": {"nbgrader": 1}, "cells": [
 {"cell_type": "code", "source": ["2.0"], "metadata": {"nbgrader": {"grade_id": ["test_queue_work"]}}, "outputs": 2.0},
 {"cell_type": "code", "source": {"2.0": "2.0"}, "metadata": {"nbgrader": {"grade_id": "test_queue_work"}}},
 {"cell_type": ["code"], "source": "2.0", "metadata": [["nbgrader", {"grade_id": "test_loops", "points": 4}]]},
 {"cell_type": "code", "source": "4.0", "metadata": {"nbgrader": {"grade_id": "test_loops", "grade": true,
  "points": 4, "solution": true}}, "outputs": [{"output_type": "execute_result", "data": {"text/plain": "4.0"}}]}]}
''')
