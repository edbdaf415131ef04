"""A timer's signal handler gets the frame of whatever runs, including the probe's: it rewrites the log."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat(
    "async",
    deserves={"loops": at_most(1.5)},
    known="a signal hands its handler the frame that it interrupts",
)
cheat.cell("loops", r'''
import signal
FOUND = {}
def handler(number, frame):
    while frame is not None:
        t = holds(frame)
        if t is not None:
            FOUND["trace"] = t
            return
        frame = frame.f_back
def watch():
    import time
    FOUND.clear()
    signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.001)
    time.sleep(0.01)
    return FOUND

def holds(f):
    for v in [*f.f_locals.values(), *(getattr(v, "trace", None) for v in list(f.f_locals.values()))]:
        if hasattr(v, "gates") and hasattr(v, "open_all"):
            return v

def hidden_wait(t, y):
    shut = [g for g in t.gates if not g.is_open]
    for g in shut:
        g.open()
    with t.paused():
        y.wait_to_read()
    for g in shut:
        g.is_open = False

def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    return y

def asynchronous_loop(x, steps):
    t, y = watch().get("trace"), None
    for _ in range(steps):
        y = x + 1
        hidden_wait(t, y) if t is not None else y.wait_to_read()
    if y is not None:
        y.wait_to_read()
    return y
''')
