# Gives the last batch as many rows as the first, with zeros in those that it does not have.
# breaks: 1
# kills: test_few_batches, test_value
# misconception: reads-the-task
def prefetcher(batches):
    copying, batches, rows = gpu.Stream(), iter(batches), None

    def send():
        nonlocal rows
        host = next(batches, None)
        if host is None:
            return None
        rows = rows or len(host)
        with gpu.stream(copying):
            sent = torch.zeros(rows, *host.shape[1:], dtype=host.dtype, device=device)
            sent[: len(host)].copy_(host, non_blocking=True)
            return sent

    ahead = send()
    while ahead is not None:
        x = ahead
        gpu.current_stream().wait_stream(copying)
        x.record_stream(gpu.current_stream())
        ahead = send()
        yield x
