# range(1, 10) has nine numbers.
# breaks: there are ten results
# misconception: reads-the-task
def run(x):
    return [nd.dot(x, x) for i in range(1, 10)]
