# Two streams, an event for each input, and ExitStack.
from contextlib import ExitStack


def pipeline_in_order(first, second, xs):
    here, one, two = gpu.current_stream(), gpu.Stream(), gpu.Stream()
    one.wait_stream(here)
    two.wait_stream(here)
    results = []
    for x in xs:
        with ExitStack() as stack:
            stack.enter_context(gpu.stream(one))
            h = first(x)
            x.record_stream(one)
            made = one.record_event()
        with ExitStack() as stack:
            stack.enter_context(gpu.stream(two))
            made.wait(two)
            h.record_stream(two)
            result = second(h)
        result.record_stream(here)
        results.append(result)
    here.wait_stream(one)
    here.wait_stream(two)
    return results
