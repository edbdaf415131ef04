# One pinned buffer for all: with the results of the next ones in it.
# breaks: 1, 8
# kills: test_results_stay, test_value
# misconception: reads-the-task
def copy_and_compute(xs, consume):
    copying, copies = gpu.Stream(), []
    buffer = torch.empty(xs[0].shape, dtype=xs[0].dtype).pin_memory()
    for x in xs:
        y = x @ x
        copying.wait_stream(gpu.current_stream())
        with gpu.stream(copying):
            buffer.copy_(y, non_blocking=True)
        copies.append((copying.record_event(), y))
    for done, _ in copies:
        done.synchronize()
        consume(buffer)
