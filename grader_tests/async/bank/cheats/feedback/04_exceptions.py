"""The name, the text and the traceback of an exception are HTML."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
Evil = type("</div><script>window.canary = 1</script>", (Exception,), {"__module__": "<img src=x onerror=window.canary=1>"})


def queue_work(x):
    raise Evil("<script>window.canary = 1</script>")
''')
cheat.last('''
raise Evil("<img src=x onerror='window.canary = 1'>")
''')
