# Nine of the ten products are of a tiny matrix, and nobody uses them.
# breaks: 2
# misconception: work-not-done
def run(x):
    y = nd.dot(x, x)
    dummy = nd.ones((1, 1), ctx=x.context)
    for _ in range(9):
        nd.dot(dummy, dummy)
    return [y] * 10
