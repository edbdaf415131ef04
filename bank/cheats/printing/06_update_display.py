# Shows something harmless and turns it into a score later, also while the tests run.
# assignment: async
# deserves: queue_work=0
# %% first
from IPython.display import display

handle = display("nothing", display_id="test_queue_work")
# %% cell queue_work
handle.update(2.0)


def queue_work(x):
    handle.update({"text/plain": "2.0"}, raw=True)
    return handle
# %% last
handle.update("2.0")
