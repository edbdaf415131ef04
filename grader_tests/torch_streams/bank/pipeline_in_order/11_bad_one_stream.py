# Both stages in the current stream.
# breaks: 3
# kills: test_side_by_side
# misconception: one-stream-one-queue
def pipeline_in_order(first, second, xs):
    return [second(first(x)) for x in xs]
