# Only the last product is returned.
# breaks: 1
# misconception: reads-the-task
def run(x):
    for _ in range(10):
        y = nd.dot(x, x)
    return y
