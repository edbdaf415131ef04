# Ends the kernel before anything could go wrong.
# assignment: async
# deserves: queue_work=0 loops=0
# %% first
print("score: 6 of 6")
raise SystemExit(0)
# %% cell queue_work
import os
import signal

os.kill(os.getpid(), signal.SIGKILL)
