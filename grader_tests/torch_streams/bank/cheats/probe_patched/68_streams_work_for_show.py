"""Copies each batch when it is asked for, and shows the log work on copies made ahead, of the same batches."""

from syncpoint.vet.cheat import Cheat, at_most

# This paid when marks showed the work; now the sums that it produced show it.
cheat = Cheat("torch_streams", deserves={"prefetcher": at_most(1.13)})
cheat.cell("prefetcher", '''
def prefetcher(batches):
    hosts = []
    for host in batches:
        hosts.append(host)
        yield host.to(device, non_blocking=True)
    copying, ahead, kept = gpu.Stream(), None, []
    weights = torch.ones(4, 4, device=device)
    for number, host in enumerate([*hosts, None]):
        now, ahead = ahead, None
        if now is not None:
            gpu.current_stream().wait_event(now[1])
        if host is not None:
            with gpu.stream(copying):
                ahead = host.to(device, non_blocking=True), gpu.Event()
                ahead[1].record()
            kept.append(ahead)
        if now is not None:
            simgpu.mark("work", number - 1)
            (now[0] @ weights @ weights).sum()
            simgpu.mark("worked", number - 1)
''')
