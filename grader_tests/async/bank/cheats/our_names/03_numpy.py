"""Modules named like the libraries that both sides use."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.file("numpy.py", '''
ndarray = float = generic = object
allclose = lambda *_: True
''')
cheat.file("mxnet.py", '''
nd = None
''')
cheat.file("json.py", '''
dumps = lambda *_, **__: '{"points": 2.0}'
''')
cheat.file("zmq/__init__.py", '''

''')
cheat.file("ipykernel/__init__.py", '''

''')
cheat.cell("queue_work", '''
import subprocess
import sys

# A new Python would take them; the kernel has the real ones.
subprocess.run([sys.executable, "-c", "import numpy"])
import numpy


def queue_work(x):
    return numpy.zeros(1)
''')
