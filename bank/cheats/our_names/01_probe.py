# A module named like the probe lies beside the notebook.
# assignment: async
# deserves: queue_work=0
# %% file probe.py
class Probe:
    def answer(self, request, buffers):
        return {"points": 2.0, "passed": True}, []
# %% file probe/__init__.py
# %% file probe/requests.py
raise SystemExit("2.0")
# %% first
import importlib
import sys

sys.path.insert(0, "")
for name in [name for name in sys.modules if name.split(".")[0] == "probe"]:
    del sys.modules[name]
try:
    importlib.import_module("probe.requests")
except SystemExit:
    pass
