"""A module named like the probe is next to the notebook."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.file("probe.py", '''
class Probe:
    def reply(self, request, buffers):
        return {"points": 2.0, "passed": True}, []
''')
cheat.file("probe/__init__.py", '''

''')
cheat.file("probe/handlers.py", '''
raise SystemExit("2.0")
''')
cheat.first('''
import importlib
import sys

sys.path.insert(0, "")
for name in [name for name in sys.modules if name.split(".")[0] == "probe"]:
    del sys.modules[name]
try:
    importlib.import_module("probe.handlers")
except SystemExit:
    pass
''')
