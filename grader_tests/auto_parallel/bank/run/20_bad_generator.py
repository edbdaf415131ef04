# A generator: nothing is enqueued until somebody asks for the results.
# breaks: 1
# misconception: reads-the-task
def run(x):
    return (nd.dot(x, x) for _ in range(10))
