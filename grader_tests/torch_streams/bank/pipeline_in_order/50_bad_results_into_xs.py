# The results are written into the list of inputs, which is returned.
# breaks: 10
# kills: test_list_stays
# misconception: reads-the-task
def pipeline_in_order(first, second, xs):
    here, one, two = gpu.current_stream(), gpu.Stream(), gpu.Stream()
    one.wait_stream(here)
    for n, x in enumerate(xs):
        with gpu.stream(one):
            h = first(x)
            x.record_stream(one)
            ready = one.record_event()
        two.wait_event(ready)
        with gpu.stream(two):
            xs[n] = second(h)
        h.record_stream(two)
        xs[n].record_stream(here)
    here.wait_stream(two)
    return xs
