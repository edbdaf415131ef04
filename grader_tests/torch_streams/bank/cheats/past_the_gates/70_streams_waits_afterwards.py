"""Gives each buffer away before its copy has run, and waits when all has been consumed."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"copy_and_compute": at_most(1.29)})
cheat.cell("copy_and_compute", '''
def copy_and_compute(xs, consume):
    copies = gpu.Stream()
    for x in xs:
        product = x @ x
        copies.wait_stream(gpu.current_stream())
        with gpu.stream(copies):
            host = product.to("cpu", non_blocking=True)
            product.record_stream(copies)
        consume(host)
    copies.synchronize()
''')
