# Two pinned buffers in turn: what consume was given is written over.
# breaks: 8
# kills: test_results_stay
# misconception: reads-the-task
def copy_and_compute(xs, consume):
    copies = gpu.Stream()
    buffers = [torch.empty(xs[0].shape, dtype=xs[0].dtype).pin_memory() for _ in range(2)]
    before = None
    for i, x in enumerate(xs):
        product = x @ x
        copies.wait_stream(gpu.current_stream())
        with gpu.stream(copies):
            buffers[i % 2].copy_(product, non_blocking=True)
            product.record_stream(copies)
            event = copies.record_event()
        if before is not None:
            before[0].synchronize()
            consume(before[1])
        before = event, buffers[i % 2]
    before[0].synchronize()
    consume(before[1])
