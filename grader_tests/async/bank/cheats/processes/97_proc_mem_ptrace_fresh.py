"""Writes into /proc of others, attaches with ptrace, and changes its own limits."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(2)})
cheat.cell("queue_work", r'''
import ctypes, resource
def queue_work(x): return nd.dot(x, x).sum()
libc = ctypes.CDLL(None, use_errno=True)
for pid in [p for p in os.listdir("/proc") if p.isdigit() and int(p) != os.getpid()]:
    print(pid, open(f"/proc/{pid}/cmdline").read()[:200], "ptrace", libc.ptrace(16, int(pid), 0, 0), ctypes.get_errno())
    for f in ("mem", "oom_score_adj", "environ"):
        try: open(f"/proc/{pid}/{f}", "rb+").close(); print("CAN WRITE", pid, f)
        except OSError as e: print(pid, f, e)
for what in (resource.RLIMIT_NPROC, resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE):
    try: print(resource.getrlimit(what)); resource.setrlimit(what, (-1, -1)); print("RAISED", what)
    except Exception as e: print(what, e)
''')
