# Copies each batch when it is asked for, in one stream, and waits for it.
# breaks: 3, 5, 8
# kills: test_copy_beside_the_work, test_copy_is_ahead, test_no_wait, test_own_stream
# misconception: one-stream-one-queue
def prefetcher(batches):
    for host in batches:
        yield host.to(device)
