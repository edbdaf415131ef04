# If a loop is left early, the next one begins with the batch that was left.
# breaks: 1
# kills: test_few_batches
# misconception: reads-the-task
def prefetcher(batches, ready=[]):
    batches, side = iter(batches), gpu.Stream()

    def send():
        for host in batches:
            with gpu.stream(side):
                there = host.to(device, non_blocking=True)
                ready.append((there, side.record_event()))
            break

    send()
    while ready:
        send()
        there, event = ready.pop(0)
        gpu.current_stream().wait_event(event)
        there.record_stream(gpu.current_stream())
        yield there
        del there
