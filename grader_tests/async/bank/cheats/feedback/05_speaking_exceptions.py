"""An exception whose text is shown to the student, since Python itself writes it, is HTML."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0, "loops": 0})
cheat.cell("queue_work", '''
def queue_work(x):
    raise NameError("<script>window.canary = 1</script><img src=x onerror='window.canary = 1'>")
''')
cheat.cell("loops", '''
def synchronous_loop(x, steps):
    return getattr(x, "<svg onload=window.canary=1>")


asynchronous_loop = type("</span><script>window.canary = 1</script>", (), {"__call__": lambda self: None})()
''')
