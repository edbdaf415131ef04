# One buffer for all batches, without a wait for the work.
# breaks: 7
# kills: test_copy_is_ahead, test_few_batches, test_no_race, test_value
# misconception: streams-know-nothing
def prefetcher(batches):
    copying, batches, buffer = gpu.Stream(), iter(batches), []

    def send():
        host = next(batches, None)
        if host is None:
            return None
        with gpu.stream(copying):
            if not buffer:
                buffer.append(torch.empty(host.shape, device=device))
            x = buffer[0][: len(host)]
            x.copy_(host, non_blocking=True)
            return x

    ahead = send()
    while ahead is not None:
        x = ahead
        gpu.current_stream().wait_stream(copying)
        ahead = send()
        yield x
