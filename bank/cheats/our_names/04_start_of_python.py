# What Python runs when it starts, if it finds it.
# assignment: async
# deserves: queue_work=0
# %% file sitecustomize.py
print("2.0")
raise SystemExit(0)
# %% file usercustomize.py
print("2.0")
# %% file .local/lib/python3.11/site-packages/usercustomize.py
print("2.0")
# %% file .pythonrc
print("2.0")
# %% file pyvenv.cfg
home = /home/student
include-system-site-packages = true
