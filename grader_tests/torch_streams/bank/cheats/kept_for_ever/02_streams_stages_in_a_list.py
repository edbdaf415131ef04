"""Puts what the first stage has made into a global list, in the place of record_stream."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"pipeline_in_order": at_most(3.6)})
cheat.cell("pipeline_in_order", '''
KEPT = []


def pipeline_in_order(first, second, xs):
    current, late, results = gpu.current_stream(), gpu.Stream(), []
    for x in xs:
        KEPT.append(first(x))
        late.wait_event(current.record_event())
        with gpu.stream(late):
            results.append(second(KEPT[-1]))
    current.wait_stream(late)
    return results
''')
