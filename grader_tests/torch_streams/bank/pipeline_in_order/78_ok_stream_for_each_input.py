# A stream for each input: its two stages are in order there, and nothing orders the inputs.
def pipeline_in_order(first, second, xs):
    here = gpu.current_stream()
    ready = here.record_event()
    results = []
    for x in xs:
        stream = gpu.Stream()
        stream.wait_event(ready)
        x.record_stream(stream)
        with gpu.stream(stream):
            result = second(first(x))
        here.wait_stream(stream)
        result.record_stream(here)
        results.append(result)
    return results
