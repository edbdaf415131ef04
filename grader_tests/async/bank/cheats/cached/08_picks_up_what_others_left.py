"""The friend of the one before: runs what it finds."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
import glob

for path in [*glob.glob("/tmp/solution*"), *glob.glob("/dev/shm/*"), *glob.glob("/home/*/solution*")]:
    exec(open(path).read())
''')
