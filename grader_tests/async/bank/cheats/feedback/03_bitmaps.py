"""Breaks out of the address of a picture."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 2}, solves=["queue_work"])
cheat.last('''
from IPython.display import display

for kind in ("image/png", "image/jpeg"):
    for data in ('x" onerror="window.canary = 1', "x'><script>window.canary = 1</script>", '"><img src=x onerror=window.canary=1>'):
        display({kind: data}, raw=True, metadata={kind: {"width": '1" onerror="window.canary = 1', "height": data}})
''')
