# Seven buffers in turn, each used again after seven results.
# breaks: 8
# kills: test_results_stay
# misconception: reads-the-task
def copy_and_compute(xs, consume):
    copies, queue = gpu.Stream(), []
    buffers = [torch.empty(x.shape, dtype=x.dtype).pin_memory() for x in xs[:7]]
    for n, x in enumerate(xs):
        if n >= len(buffers):
            host, done = queue.pop(0)
            done.synchronize()
            consume(host)
        y = x @ x
        copies.wait_stream(gpu.current_stream())
        with gpu.stream(copies):
            host = buffers[n % len(buffers)].copy_(y, non_blocking=True)
            done = copies.record_event()
        y.record_stream(copies)
        queue.append((host, done))
    for host, done in queue:
        done.synchronize()
        consume(host)
