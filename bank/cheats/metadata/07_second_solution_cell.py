# The solution cell twice, the wrong one first: both run, so the honest one counts.
# assignment: async
# deserves: queue_work=2
# solves: queue_work
# %% copy queue_work
def queue_work(x):
    return 2.0
