# A grade cell of its own, with the same id, stands before the real one.
# assignment: async
# deserves: queue_work=0
# %% copy test_queue_work
2.0
