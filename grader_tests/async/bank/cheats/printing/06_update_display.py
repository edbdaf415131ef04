"""Shows something harmless and turns it into a score later, also while the tests run."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.first('''
from IPython.display import display

handle = display("nothing", display_id="test_queue_work")
''')
cheat.cell("queue_work", '''
handle.update(2.0)


def queue_work(x):
    handle.update({"text/plain": "2.0"}, raw=True)
    return handle
''')
cheat.last('''
handle.update("2.0")
''')
