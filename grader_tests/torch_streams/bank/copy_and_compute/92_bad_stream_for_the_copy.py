# Product and copy share the side stream.
# breaks: 2
# kills: test_copy_beside_the_next_product
# misconception: one-stream-one-queue
def copy_and_compute(xs, consume):
    side = gpu.Stream()
    side.wait_stream(gpu.current_stream())
    queue = []
    for x in xs:
        with gpu.stream(side):
            y = x @ x
            host = torch.empty_like(y, device="cpu", pin_memory=True)
            host.copy_(y, non_blocking=True)  # after the product in the same stream: the next product waits
            queue.append((host, side.record_event()))
    for host, event in queue:
        event.synchronize()
        consume(host)
