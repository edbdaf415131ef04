"""The products for show are those with a unit matrix: their copies bring the matrices, and the host multiplies."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"copy_and_compute": at_most(1.57)})
cheat.cell("copy_and_compute", '''
def copy_and_compute(xs, consume):
    copying, current = gpu.Stream(), gpu.current_stream()
    one = torch.eye(len(xs[0]), dtype=xs[0].dtype).pin_memory().to(xs[0].device, non_blocking=True)
    copies = []
    for x in xs:
        y = x @ one
        copying.wait_stream(current)
        with gpu.stream(copying):
            host = y.to("cpu", non_blocking=True)
        y.record_stream(copying)
        copies.append((host, copying.record_event()))
    for host, done in copies:
        done.synchronize()
        consume((host @ host).pin_memory())
''')
