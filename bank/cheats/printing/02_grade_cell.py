# Writes the score into the grade cells themselves.
# assignment: async
# deserves: queue_work=0 loops=0
# %% cell test_queue_work
2.0
# %% cell test_loops
import sys

sys.displayhook(4.0)
