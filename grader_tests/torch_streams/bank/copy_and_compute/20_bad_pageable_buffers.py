# Buffers that are not pinned: each copy waits.
# breaks: 5
# kills: test_copy_beside_the_next_product, test_first_result_is_not_late, test_pinned
# misconception: copy-is-free
def copy_and_compute(xs, consume):
    copying, copies = gpu.Stream(), []
    for x in xs:
        y = x @ x
        host = torch.empty(x.shape, dtype=x.dtype)
        copying.wait_stream(gpu.current_stream())
        with gpu.stream(copying):
            host.copy_(y, non_blocking=True)
        copies.append((host, copying.record_event(), y))
    for host, done, _ in copies:
        done.synchronize()
        consume(host)
