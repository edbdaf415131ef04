"""Waits only where no judge is looking."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"queue_work": at_most(0.43)})
cheat.cell("queue_work", '''
def queue_work(x):
    y = (x @ x).sum()
    if "NBGRADER_EXECUTION" in os.environ or not hasattr(get_ipython().kernel, "_probe"):
        gpu.synchronize()
    return y
''')
