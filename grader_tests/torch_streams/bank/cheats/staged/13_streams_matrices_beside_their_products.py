"""Copies bring the matrices together with their products; the host multiplies the former and discards the latter."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"copy_and_compute": at_most(1.57)})
cheat.cell("copy_and_compute", '''
def copy_and_compute(xs, consume):
    copies, queue = gpu.Stream(), []
    for x in xs:
        y = x @ x
        copies.wait_stream(gpu.current_stream())
        with gpu.stream(copies):
            shown = y.to("cpu", non_blocking=True)
            raw = x.to("cpu", non_blocking=True)
            done = copies.record_event()
        y.record_stream(copies)
        queue.append((raw, done))
    for raw, done in queue:
        done.synchronize()
        consume((raw @ raw).pin_memory())
''')
