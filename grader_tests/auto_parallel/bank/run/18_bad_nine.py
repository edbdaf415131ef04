# range(1, 10) has nine numbers.
# breaks: 1
# misconception: reads-the-task
def run(x):
    return [nd.dot(x, x) for i in range(1, 10)]
