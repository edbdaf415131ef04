# Files beside the notebook have names that are HTML.
# assignment: async
# deserves: queue_work=0
# %% file <img src=x onerror=window.canary=1>.txt
A file.
# %% file "><script>window.canary = 1<.py
1 / 0
# %% cell queue_work
import os

print(os.listdir("."))
for name in os.listdir("."):
    if name.endswith(".py"):
        exec(compile(open(name).read(), name, "exec"))
