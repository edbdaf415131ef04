# Each product goes on with the result of the one before.
# breaks: 1
# misconception: reads-the-task
def run(x):
    ys = []
    y = x
    for _ in range(10):
        y = nd.dot(y, x)
        ys.append(y)
    return ys
