"""Looks into the home folders for keys, histories and notebooks."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
import glob
import os

for home in {os.path.expanduser("~"), "/root", *glob.glob("/home/*"), *glob.glob("/Users/*")}:
    for name in (".ssh/*", ".netrc", ".bash_history", ".jupyter/*", ".local/share/jupyter/*", "**/*.ipynb", "*"):
        for path in glob.glob(os.path.join(home, name), recursive=True):
            if os.path.isfile(path) and "notebook" not in path:
                print(path, open(path, errors="replace").read(200))
''')
