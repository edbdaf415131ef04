# Clears x when it is no longer needed.
# breaks: 6
# kills: test_value
# misconception: reads-the-task
def run(x):
    ys = [nd.dot(x, x) for _ in range(10)]
    x[:] = 0
    return ys
