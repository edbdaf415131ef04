"""Looks for graders, keys, databases and other students; prints what it can read."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(2)})
cheat.cell("queue_work", r'''
import glob, subprocess
def queue_work(x): return nd.dot(x, x).sum()
for root, dirs, files in os.walk("/"):
    if root.startswith(("/proc", "/sys", "/usr", "/lib", "/etc")): dirs[:] = []; continue
    for f in files:
        if f.startswith("test_") or f.endswith((".db", ".toml", ".ipynb", "conftest.py")) or "secret" in f: print("FOUND", os.path.join(root, f))
for p in ("/proc/1/environ", "/proc/1/cmdline", "/proc/self/mountinfo", "/proc/self/cgroup", "/proc/net/unix", "/proc/self/environ"):
    try: print(p, open(p, "rb").read()[:3000])
    except Exception as e: print(p, e)
print(os.listdir("/"), os.listdir("/proc")[:30], os.listdir("/proc/self/fd"))
for fd in os.listdir("/proc/self/fd"):
    try: print(fd, os.readlink("/proc/self/fd/" + fd))
    except Exception as e: pass
''')
