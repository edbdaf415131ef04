# Without grade cells nothing can be marked wrong.
# assignment: async
# deserves: queue_work=0 loops=4
# solves: loops
# %% delete test_queue_work
# %% delete test_loops
