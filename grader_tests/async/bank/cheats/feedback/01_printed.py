"""Prints HTML and scripts on every stream."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 2}, solves=["queue_work"])
cheat.last(r'''
import sys

for text in ("<script>window.canary = 1</script>", "</pre></div><img src=x onerror='window.canary = 1'>", "<svg onload=window.canary=1>"):
    print(text)
    print(text, file=sys.stderr)
print("\x1b]8;;javascript:window.canary=1\x07a link\x1b]8;;\x07 \x1b[31m<b>red</b>\x1b[0m")
"<script>window.canary = 1</script>"
''')
