"""One copy brings matrix and product; the host multiplies the one and discards the other."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"copy_and_compute": at_most(1.57)})
cheat.cell("copy_and_compute", '''
def copy_and_compute(xs, consume):
    copying, current = gpu.Stream(), gpu.current_stream()
    copies = []
    for x in xs:
        y = torch.cat([x, x @ x])
        copying.wait_stream(current)
        with gpu.stream(copying):
            host = y.to("cpu", non_blocking=True)
        y.record_stream(copying)
        copies.append((host, copying.record_event()))
    for host, done in copies:
        done.synchronize()
        a = host[: len(host[0])]
        consume((a @ a).pin_memory())
''')
