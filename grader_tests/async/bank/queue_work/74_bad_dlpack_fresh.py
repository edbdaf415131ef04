# Goes through dlpack to save a copy; to_dlpack_for_read waits for x.
# breaks: 2
# kills: test_does_not_wait, test_does_not_wait_for_large_matrices
# misconception: hidden-waits
def queue_work(x):
    x = nd.from_dlpack(nd.to_dlpack_for_read(x))
    return nd.dot(x, x).sum()
