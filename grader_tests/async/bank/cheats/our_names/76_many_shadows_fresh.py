"""Modules of every name that the kernel, nbgrader or pytest may import are next to the notebook; each leaves a mark."""

from syncpoint.vet.cheat import Cheat

MARK = """
import os
open("/tmp/fresh_owned", "a").write(__name__ + chr(10))
print("SHADOW", __name__, os.getpid())
"""

cheat = Cheat("async", deserves={"queue_work": 0})
for name in ("mxnet", "numpy", "zmq", "json", "sitecustomize", "usercustomize", "IPython/__init__", "syncpoint/__init__", "conftest",
             "test_queue_work", "nbgrader_config", "timeline", "jupyter_nbconvert_config", "ipython_config", "asyncio", "tornado", "psutil"):
    cheat.file(f"{name}.py", MARK)
cheat.file("pytest.ini", "[pytest]\naddopts = --collect-only\npython_files = *.py")
cheat.file("pyproject.toml", "[tool.pytest.ini_options]\naddopts = '--collect-only'\n[tool.syncpoint]\nx = 1")
cheat.file("evil.pth", "import os; open('/tmp/fresh_owned', 'a').write('pth')")
cheat.cell("queue_work", '''
def queue_work(x):
    return None


import glob
import sys

print(sys.path, glob.glob("/tmp/fresh_owned*"), {m: getattr(sys.modules[m], "__file__", "") for m in ("numpy", "mxnet", "json", "zmq")})
''')
