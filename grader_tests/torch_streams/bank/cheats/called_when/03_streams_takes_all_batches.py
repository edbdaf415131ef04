"""Takes all batches out of the generator at once, and writes zeros where the generator notes how far ahead that was."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"prefetcher": at_most(3.9)})
cheat.cell("prefetcher", '''
def prefetcher(batches):
    noted = getattr(batches, "gi_frame", None)
    noted = noted.f_locals.get("ahead") if noted is not None else None
    hosts = list(batches)
    if noted:
        noted[:] = [0] * len(noted)
    copying, ahead = gpu.Stream(), None

    def send(host):
        with gpu.stream(copying):
            return host.to(device, non_blocking=True)

    ahead = send(hosts[0]) if hosts else None
    for following in [*hosts[1:], None] if hosts else []:
        x = ahead
        gpu.current_stream().wait_stream(copying)
        x.record_stream(gpu.current_stream())
        ahead = send(following) if following is not None else None
        yield x
''')
