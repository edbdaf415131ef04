"""Goes through /proc for the folders, files and environments of other processes."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", r'''
import glob

KEYS = ("submitted", "source", "grader_tests", "async_computation")
for pattern in ("/proc/[0-9]*/cwd", "/proc/[0-9]*/root/work", "/proc/[0-9]*/root/home", "/proc/[0-9]*/fd/*"):
    for path in glob.glob(pattern):
        for key in KEYS:
            for name in glob.glob(f"{path}/**/{key}*", recursive=True)[:50]:
                try:
                    text = open(name).read()
                except (OSError, ValueError):
                    continue
                if "nd.dot(x" + ", x).sum()" in text:
                    exec(text)
for path in glob.glob("/proc/[0-9]*/environ"):
    try:
        print(open(path).read().replace("\0", "\n"))
    except OSError:
        pass
''')
