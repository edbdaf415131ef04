# The grade cells are text now.
# assignment: async
# deserves: queue_work=0 loops=0
# %% kind test_queue_work
markdown
# %% kind test_loops
raw
