"""Sources that are numbers, null or a lone surrogate; NaN and infinity as values."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.raw('''
{"cells": [{"cell_type": "code", "id": "a", "source": 7, "metadata": {"nbgrader": {"grade_id": "queue_work", "points": NaN}}, "outputs": null, "execution_count": 1e999},
 {"cell_type": "code", "source": ["x = 1", 2, null], "metadata": null, "outputs": []},
 {"cell_type": "code", "source": "\\ud800\\u0000", "metadata": {}, "outputs": [{"output_type": "x"}]},
 null, 7, {"cell_type": "../x"}], "metadata": {"kernelspec": 3}, "nbformat": 4, "nbformat_minor": "9"}
''')
