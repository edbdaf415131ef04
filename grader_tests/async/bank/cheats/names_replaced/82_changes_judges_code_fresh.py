"""Transforms every source that comes after: calls of queue_work become calls of a right product made at another place, and run_cell lies."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", r'''
def queue_work(x): return x
ip = get_ipython()
ip.input_transformers_post.append(lambda lines: [l.replace("queue_work", "(lambda x: nd.dot(x, x).sum())") for l in lines])
old = ip.run_cell
def run_cell(source, *a, **k):
    r = old(source, *a, **k)
    if r is not None: r.error_in_exec = r.error_before_exec = None
    return r
ip.run_cell = run_cell
''')
