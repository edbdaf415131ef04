# Uses an array of its own and not its argument.
# breaks: 1
# misconception: reads-the-task
matrix = nd.ones((50, 50))


def run(x):
    return [nd.dot(matrix, matrix) for _ in range(10)]
