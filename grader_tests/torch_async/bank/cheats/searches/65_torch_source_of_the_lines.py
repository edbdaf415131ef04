"""Reads the source and the names of the lines, and guesses without running them."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"late_errors": at_most(0.375)})
cheat.cell("late_errors", '''
import inspect


def late_errors(make_lines):
    lines = make_lines()
    fault = raises = None
    for number, line in enumerate(lines):
        try:
            source = inspect.getsource(line)
        except Exception:
            source = " ".join(map(str, getattr(line, "__code__", line).co_names)) if hasattr(line, "__code__") else ""
        if fault is None and any(word in source for word in ("embedding", "index", "gather", "take")):
            fault = number
        if fault is not None and raises is None and any(w in source for w in ("item", "tolist", "synchronize", "cpu")):
            raises = number
    return raises, fault
''')
