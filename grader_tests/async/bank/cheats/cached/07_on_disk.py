"""Leaves answers in every folder that can be written, for the next time and for friends."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", r'''
import glob
import os

for folder in ("/tmp", "/dev/shm", os.path.expanduser("~"), "/var/tmp", "/run"):
    try:
        with open(os.path.join(folder, "answer.py"), "a") as file:
            file.write("queue_work = lambda x: nd.zeros(1)\n")
    except OSError:
        pass
left_by_others = [path for path in glob.glob("/tmp/*") + glob.glob("/dev/shm/*") if "solution" in path]
for path in left_by_others:
    exec(open(path).read())
''')
cheat.last('''
open("/tmp/solution_of_queue_work.py", "w").write("queue_work = lambda x: nd.dot(x, x).sum()")
''')
