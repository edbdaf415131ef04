# All on the current stream.
# breaks: work is on side
# misconception: one-stream-one-queue
def memory_reuse(x, work, side):
    return work(x * 2)
