"""The host multiplies with NumPy; products and their copies are for show."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"copy_and_compute": at_most(1.57)})
cheat.cell("copy_and_compute", '''
def copy_and_compute(xs, consume):
    copying, current = gpu.Stream(), gpu.current_stream()
    right = []
    for x in xs:
        a = x.cpu().numpy()
        right.append(torch.from_numpy(a @ a).pin_memory())
    copies = []
    for x in xs:
        y = x @ x
        copying.wait_stream(current)
        with gpu.stream(copying):
            host = y.to("cpu", non_blocking=True)
        y.record_stream(copying)
        copies.append((host, copying.record_event()))
    for (host, done), result in zip(copies, right):
        done.synchronize()
        consume(result)
''')
