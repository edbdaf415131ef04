# A generator that gives its tensors away inside the block of its stream: the caller goes on in that stream.
# breaks: 5
# kills: test_copy_beside_the_work, test_few_batches, test_no_race, test_own_stream, test_value
# misconception: one-stream-one-queue
import itertools


def prefetcher(batches):
    side = gpu.Stream()

    def sent():
        for host in batches:
            with gpu.stream(side):
                yield host.to(device, non_blocking=True), side.record_event()

    for (x, copied), _ in itertools.pairwise(itertools.chain(sent(), [None])):
        now = gpu.current_stream()
        now.wait_event(copied)
        x.record_stream(now)
        yield x
