"""Makes many empty files and asks how many more the file systems would take: each costs the kernel a kilobyte.

It is ended at the limit of files.
"""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(2)})
cheat.cell("queue_work", r'''
def queue_work(x):
    return nd.dot(x, x).sum()


for place in ("/tmp", "/dev/shm", os.path.expanduser("~"), "/dev", "/"):
    s = os.statvfs(place)
    print(place, "files in all", s.f_files, "free", s.f_ffree, "MiB", s.f_blocks * s.f_frsize // 2**20)
stop = time.time() + 20
count = 0
while time.time() < stop and count < 700000:
    for place in ("/tmp", "/dev/shm", os.path.expanduser("~")):
        open(f"{place}/e{count}", "w").close()
    count += 1
print("made", 3 * count)
''')
