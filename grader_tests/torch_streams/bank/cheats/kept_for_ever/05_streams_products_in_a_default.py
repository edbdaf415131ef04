"""Keeps each product in the default value of an argument, in the place of record_stream."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"copy_and_compute": at_most(3.6)})
cheat.cell("copy_and_compute", '''
def copy_and_compute(xs, consume, products=[]):
    copying, copies = gpu.Stream(), []
    for x in xs:
        products.append(x @ x)
        copying.wait_stream(gpu.current_stream())
        with gpu.stream(copying):
            host = products[-1].to("cpu", non_blocking=True)
        copies.append((host, copying.record_event()))
    for host, done in copies:
        done.synchronize()
        consume(host)
''')
