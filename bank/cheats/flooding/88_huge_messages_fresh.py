"""One output of 400 MB, ten thousand displays, a comm, and a traceback of 100 MB."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(2)})
cheat.cell("queue_work", r'''
def queue_work(x): return nd.dot(x, x).sum()
from IPython.display import display, HTML
for _ in range(10000): display({"text/plain": "x"}, raw=True)
display({"text/html": "<b>" * 130_000_000}, raw=True)
raise ValueError("y" * 100_000_000)
''')
