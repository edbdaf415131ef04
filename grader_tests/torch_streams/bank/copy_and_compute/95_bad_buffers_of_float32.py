# The buffers have the type that torch.empty chooses.
# breaks: 1, 5
# kills: test_copy_beside_the_next_product, test_first_result_is_not_late, test_pinned, test_value
# misconception: copy-is-free
def copy_and_compute(xs, consume):
    copier, results = gpu.Stream(), []
    for x in xs:
        y = x @ x
        copier.wait_stream(gpu.current_stream())
        with gpu.stream(copier):
            host = torch.empty(*y.shape, pin_memory=True).copy_(y, non_blocking=True)
        y.record_stream(copier)
        results.append((host, copier.record_event()))
    for host, event in results:
        while not event.query():
            pass
        consume(host)
