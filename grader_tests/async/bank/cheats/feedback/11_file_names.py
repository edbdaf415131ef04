"""Files next to the notebook have names that are HTML."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.file("<img src=x onerror=window.canary=1>.txt", '''
A file.
''')
cheat.file('"><script>window.canary = 1<.py', '''
1 / 0
''')
cheat.cell("queue_work", '''
import os

print(os.listdir("."))
for name in os.listdir("."):
    if name.endswith(".py"):
        exec(compile(open(name).read(), name, "exec"))
''')
