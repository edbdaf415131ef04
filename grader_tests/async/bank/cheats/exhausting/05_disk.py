"""Fills every place that can be written, with bytes and with empty files.

Places are small and few; the kernel is ended for its files.
"""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(2)})
cheat.cell("queue_work", r'''
def queue_work(x): return nd.dot(x, x).sum()
for place in ("/tmp", "/dev/shm", os.path.expanduser("~"), ".", "/var/tmp", "/run", "/dev", "/dev/mqueue", "/proc/self/fd"):
    try:
        with open(os.path.join(place, "fill"), "wb") as f:
            for _ in range(2000): f.write(b"\1" * 2 ** 20)
        print("WROTE 2 GB TO", place)
    except OSError as e: print(place, e)
    try:
        for i in range(300000): open(os.path.join(place, f"f{i}"), "w").close()
        print("300000 FILES IN", place)
    except OSError as e: print(place, e)
''')
