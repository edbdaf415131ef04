# The second cure of the text, to the letter: t is made in the stream that reads it.
def memory_reuse(x, work, side):
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        return work(x * 2)
