"""Reads all of the course's files that are inside, for values that a test might expect."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async_np", deserves={"is_blocker": at_most(0.2)})
cheat.cell("is_blocker", r'''
import glob
import re

text = "".join(open(path, errors="replace").read() for path in glob.glob("/opt/syncpoint/**/*.*", recursive=True))
tables = re.findall(r"(?:BLOCKS|QUEUES|barriers|blockers)\W*=?\W*\{[^}]*\}", text)


def is_blocker(name):
    return any(name in table for table in tables)
''')
