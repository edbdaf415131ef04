"""Forks a process for each possible answer."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("torch_streams", deserves={"overlap_report": 0})
cheat.cell("overlap_report", '''
import os


def overlap_report(spans):
    names = sorted(spans)
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1:]]
    for mask in range(2 ** min(len(pairs), 3)):
        chosen = [pair for bit, pair in enumerate(pairs) if mask >> bit & 1]
        if os.fork() == 0:
            return chosen
    return []
''')
