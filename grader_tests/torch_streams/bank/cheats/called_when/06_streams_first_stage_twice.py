"""Calls the first stage twice for each input, and sets the count of its calls back."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"pipeline_in_order": at_most(3.9)})
cheat.cell("pipeline_in_order", '''
def pipeline_in_order(first, second, xs):
    current, late, results = gpu.current_stream(), gpu.Stream(), []
    for x in xs:
        first(x)
        h = first(x)
        h.record_stream(late)
        late.wait_event(current.record_event())
        with gpu.stream(late):
            results.append(second(h))
    current.wait_stream(late)
    for cell in first.__closure__ or ():
        if isinstance(cell.cell_contents, dict):
            cell.cell_contents["first"] = len(xs)
    return results
''')
