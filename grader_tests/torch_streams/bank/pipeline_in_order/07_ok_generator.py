# A generator for the first stage.
def pipeline_in_order(first, second, xs):
    here, there = gpu.current_stream(), gpu.Stream(priority=-1)

    def early():
        for x in xs:
            h = first(x)
            yield h, here.record_event()

    kept, results = [], []
    for h, event in early():
        kept.append(h)
        with gpu.stream(there):
            event.wait(there)
            results += [second(h)]
    there.record_event().wait(here)
    return results
