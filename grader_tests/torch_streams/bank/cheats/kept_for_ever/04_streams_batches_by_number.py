"""Keeps every batch that it has ever copied in a dictionary, and so records none."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"prefetcher": at_most(3.6)})
cheat.cell("prefetcher", '''
COPIES, copying = {}, gpu.Stream()


def prefetcher(batches):
    batches = iter(batches)

    def send():
        for host in batches:
            with gpu.stream(copying):
                COPIES[len(COPIES)] = host.to(device, non_blocking=True)
            return COPIES[len(COPIES) - 1]

    ahead = send()
    while ahead is not None:
        gpu.current_stream().wait_stream(copying)
        now, ahead = ahead, send()
        yield now
''')
