# Buffers that are not pinned: each copy waits.
# breaks: a copy without a wait
# misconception: copy-is-free
def copy_and_compute(xs, consume):
    copying, copies = gpu.Stream(), []
    for x in xs:
        y = x @ x
        host = torch.empty(x.shape)
        copying.wait_stream(gpu.current_stream())
        with gpu.stream(copying):
            host.copy_(y, non_blocking=True)
        copies.append((host, copying.record_event(), y))
    for host, done, _ in copies:
        done.synchronize()
        consume(host)
