"""The host multiplies; one number of each product is copied for show."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"copy_and_compute": at_most(1.57)})
cheat.cell("copy_and_compute", '''
def copy_and_compute(xs, consume):
    copying, current = gpu.Stream(), gpu.current_stream()
    right = []
    for x in xs:
        a = x.cpu().float()
        right.append((a @ a).double().pin_memory())
    copies = []
    for x in xs:
        y = x @ x
        copying.wait_stream(current)
        with gpu.stream(copying):
            host = y[:1, :1].to("cpu", non_blocking=True)
        y.record_stream(copying)
        copies.append((host, copying.record_event()))
    for (host, done), result in zip(copies, right):
        done.synchronize()
        consume(result)
''')
