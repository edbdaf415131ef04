# The copies to pinned memory are for show: consume gets what was copied to ordinary memory, and pinned then.
# breaks: 5
# kills: test_pinned
# misconception: copy-is-free
def copy_and_compute(xs, consume):
    here, side, reader = gpu.current_stream(), gpu.Stream(), gpu.Stream()
    products = []
    for x in xs:
        y = x @ x
        side.wait_stream(here)
        with gpu.stream(side):
            shown = y.to("cpu", non_blocking=True)
        y.record_stream(side)
        products.append((y, side.record_event()))
    for y, event in products:
        event.synchronize()
        with gpu.stream(reader):
            consume(y.cpu().pin_memory())
