"""How often train waits."""

from mxnet import nd
from syncpoint_check import core, first_wait, hint, saw

BATCHES, SIZE, NAME = 3, 2, "load_data_fashion_mnist"


class Batches:
    """Random pictures; beginning with a batch of them leaves a mark."""

    def __init__(self, count, begin):
        self.batches = [(nd.random.uniform(shape=(SIZE, 1, 28, 28)), nd.array([0, 1])) for _ in range(count)]
        self.begin = begin

    def __len__(self):
        return len(self.batches)

    def __iter__(self):
        for batch in self.batches:
            self.begin()
            yield batch


def epoch(probe):
    """An epoch on two devices, whose results are held back until they are waited for."""
    train, notebook = probe.find("train"), probe.namespace
    own = notebook.get(NAME)
    with probe.run() as seen:
        data = [Batches(BATCHES, lambda: seen.mark("batch")), Batches(1, lambda: seen.mark("test"))]
        seen.trace.gate_results = True
        notebook[NAME] = lambda *_, **__: data
        try:
            seen.call(train, 2, SIZE, 0.05, 1)
        finally:
            notebook[NAME] = own
    return seen.report()


@core
@hint(
    "Without a wait the batches pile up in the queue. Where in the loop is a batch done, and which line waits for it?"
)
def test_waits_in_every_batch(student):
    """train waits for its work in every batch."""
    events = list(student.observe("epoch")["events"])
    begun = [place for place, event in enumerate(events) if event.kind == "batch"]
    with saw("Of {batches} batches, train began {count}.", batches=BATCHES, count=len(begun)):
        assert len(begun) >= BATCHES
    tests = [place for place, event in enumerate(events) if event.kind == "test" and place > begun[0]]
    ends = [*begun[1:BATCHES], min([*tests, *begun[BATCHES:], len(events)])]  # a second pass trains nothing
    batches = [events[begun[number] : ends[number]] for number in range(BATCHES)]
    training = events[begun[0] : ends[-1]]
    counts = [sum(bool(event.opened) for event in batch) for batch in batches]
    waits = sum(counts)
    with saw(
        "Waits of train before the test: {waits}, in {batches} batches; the first: {first_wait}.",
        training,
        missing_wait=True,
        waits=waits,
        batches=BATCHES,
        first_wait=first_wait(training),
    ):
        assert waits >= BATCHES
    if all(event.kind != "enqueue" for event in batches[0]):
        return  # the batches were drawn before the work began: nobody sees which of them a wait is for
    # Code that waits for each batch while the next one runs has no wait in the first.
    each = ", ".join(map(str, counts))
    with saw("Waits in each batch: {each}.", training, missing_wait=True, each=each):
        assert all(counts[1:])
