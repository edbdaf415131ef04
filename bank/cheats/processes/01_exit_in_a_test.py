# Ends the kernel in the middle of a test, with the status of success.
# assignment: async
# deserves: queue_work=0
# %% cell queue_work
import os


def queue_work(x):
    print("2.0", flush=True)
    os._exit(0)
