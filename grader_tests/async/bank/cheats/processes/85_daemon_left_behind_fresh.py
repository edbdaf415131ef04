"""Double fork with setsid, ignores all signals, writes a file each second and wants to outlive the grading."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(2)})
cheat.cell("queue_work", r'''
import signal
def queue_work(x): return nd.dot(x, x).sum()
if os.fork() == 0:
    os.setsid()
    if os.fork(): os._exit(0)
    for s in range(1, 64):
        try: signal.signal(s, signal.SIG_IGN)
        except Exception: pass
    os.execvp("python3", ["fresh_left_behind_marker", "-c", "import time\nfor i in range(600):\n    open('/tmp/fresh_left_behind', 'a').write('x'); time.sleep(1)"])
''')
