"""Downloads the matrices at the start, which may be waited for, and multiplies on the host; products for show.

What consume got stays, as it should.
"""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"copy_and_compute": at_most(1.57)})
cheat.cell("copy_and_compute", '''
def copy_and_compute(xs, consume):
    copying, current = gpu.Stream(), gpu.current_stream()
    staged = []
    for x in xs:
        a = x.cpu()
        staged.append((a @ a).pin_memory().to(x.device, non_blocking=True))
    waiting = []

    def give():
        done, host, kept = waiting.pop(0)
        done.synchronize()
        consume(host)

    for x, right in zip(xs, staged):
        y = (x @ x) * 0 + right
        copying.wait_stream(current)
        with gpu.stream(copying):
            host = y.to("cpu", non_blocking=True)
            done = gpu.Event()
            done.record()
        y.record_stream(copying)
        waiting.append((done, host, y))
        if len(waiting) > 1:
            give()
    while waiting:
        give()
''')
