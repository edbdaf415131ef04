"""Searches memory for the text of a grader or of a solution."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", r'''
import gc
import re

found = []
for value in gc.get_objects():
    if isinstance(value, dict):
        found += [text for text in list(value.values()) if isinstance(text, str) and "def test_" in text]
for number in ("self", "1", "2"):
    try:
        with open(f"/proc/{number}/maps") as maps, open(f"/proc/{number}/mem", "rb", 0) as memory:
            for line in maps:
                if "[heap]" in line:
                    start, end = (int(address, 16) for address in line.split()[0].split("-"))
                    memory.seek(start)
                    heap = memory.read(min(end - start, 2**25))
                    found += re.findall(rb"def queue_work\(x\):\n    return[^\n]*dot[^\n]*\n", heap)
    except OSError:
        pass
# The pattern above is also in the heap: a match has the dot of the engine in it.
for text in found:
    text = text.decode(errors="ignore") if isinstance(text, bytes) else text
    if "nd.dot(x" in text:
        exec(text)
''')
