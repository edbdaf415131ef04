"""Waits and marks whose labels, which the report's picture shows, are HTML and scripts."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"loops": at_most(1.4)})
cheat.cell("loops", r'''
from simgpu.front.waits import explicit_wait
from simgpu.front.link import link

EVIL = "</text></svg><script>window.canary=1</script><img src=x onerror=window.canary=1>"


def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        simgpu.mark(EVIL[:60])
    explicit_wait(EVIL, upto=link().number)
    return y


def asynchronous_loop(x, steps):
    y = None
    for n in range(steps):
        y = x + 1
        explicit_wait("'\"><svg onload=window.canary=1>\x1b[31m\u202e", upto=link().number, stream=0)
        if n == steps // 2:
            explicit_wait("<img src=x onerror=window.canary=1>", upto=link().number, stream=0)
    return y
''')
