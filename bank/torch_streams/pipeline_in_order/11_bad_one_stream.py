# Both stages in the current stream.
# breaks: side by side
# misconception: one-stream-one-queue
def pipeline_in_order(first, second, xs):
    return [second(first(x)) for x in xs]
