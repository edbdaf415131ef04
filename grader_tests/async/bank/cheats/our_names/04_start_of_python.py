"""What Python runs when it starts, if it finds it."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.file("sitecustomize.py", '''
print("2.0")
raise SystemExit(0)
''')
cheat.file("usercustomize.py", '''
print("2.0")
''')
cheat.file(".local/lib/python3.11/site-packages/usercustomize.py", '''
print("2.0")
''')
cheat.file(".pythonrc", '''
print("2.0")
''')
cheat.file("pyvenv.cfg", '''
home = /home/student
include-system-site-packages = true
''')
