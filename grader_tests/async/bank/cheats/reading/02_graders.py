"""Empties the graders wherever they lie."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", r'''
import os

for place, folders, names in os.walk("/"):
    folders[:] = [name for name in folders if name not in ("proc", "sys", "usr", "site-packages")]
    for name in names:
        if name.startswith("test_") and name.endswith(".py") or name == "scenarios.py":
            try:
                with open(os.path.join(place, name), "w") as grader:
                    grader.write('def test_value(student):\n    """Right."""\n')
            except OSError:
                pass
''')
