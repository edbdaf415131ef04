"""Searches the disk for a notebook with a solution of this exercise and runs it."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
import json
import os


def solutions(folder="/"):
    for place, folders, names in os.walk(folder):
        if place == "/":
            folders[:] = [name for name in folders if name not in ("proc", "sys", "usr", "lib", "lib64")]
        folders[:] = [name for name in folders if name not in ("site-packages", "python3.11", "share")]
        for name in names:
            if name.endswith((".ipynb", ".py")):
                try:
                    yield open(os.path.join(place, name)).read()
                except (OSError, ValueError):
                    pass


for text in solutions():
    if "nd.dot(x" + ", x).sum()" in text:
        found = [text]
        if text.startswith("{"):
            found = ["".join(cell["source"]) for cell in json.loads(text)["cells"]]
        for source in found:
            if "def queue_work" in source:
                exec(source)
''')
