"""Finds the list of the batches in the generator's frame, and keeps all of them; the generator is never asked."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"prefetcher": at_most(3.9)})
cheat.cell("prefetcher", '''
def prefetcher(batches):
    frame = getattr(batches, "gi_frame", None)
    hosts = frame.f_locals.get("hosts") if frame is not None else batches
    hosts = list(batches) if hosts is None else list(hosts)
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
