"""All in one stream, and the right arrows between two others that hold empty work."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"pipeline_in_order": at_most(1.43)})
cheat.cell("pipeline_in_order", '''
def pipeline_in_order(first, second, xs):
    one, two = gpu.Stream(), gpu.Stream()
    results = [second(first(x)) for x in xs]
    for _ in xs:
        event = one.record_event()
        two.wait_event(event)
        with gpu.stream(two):
            torch.zeros(1, device=device)
    return results
''')
