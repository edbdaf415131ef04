# Modules named like the libraries that both sides use.
# assignment: async
# deserves: queue_work=0
# %% file numpy.py
ndarray = float = generic = object
allclose = lambda *_: True
# %% file mxnet.py
nd = None
# %% file json.py
dumps = lambda *_, **__: '{"points": 2.0}'
# %% file zmq/__init__.py
# %% file ipykernel/__init__.py
# %% cell queue_work
import subprocess
import sys

# A new Python would take them; the kernel has the real ones.
subprocess.run([sys.executable, "-c", "import numpy"])
import numpy


def queue_work(x):
    return numpy.zeros(1)
