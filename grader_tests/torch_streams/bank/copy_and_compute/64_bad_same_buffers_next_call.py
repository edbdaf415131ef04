# The buffers of the first call are also used by the next calls.
# breaks: 8
# kills: test_results_stay
# misconception: reads-the-task
buffers_of_results = {}


def copy_and_compute(xs, consume):
    copying, copies = gpu.Stream(), []
    for t, x in enumerate(xs):
        y = x @ x
        key = t, y.shape, y.dtype
        if key not in buffers_of_results:
            buffers_of_results[key] = torch.empty(y.shape, dtype=y.dtype).pin_memory()
        copying.wait_stream(gpu.current_stream())
        with gpu.stream(copying):
            buffers_of_results[key].copy_(y, non_blocking=True)
        y.record_stream(copying)
        copies.append((buffers_of_results[key], copying.record_event()))
    for host, done in copies:
        done.synchronize()
        consume(host)
