# Only the last product is returned.
# breaks: there are ten results
# misconception: reads-the-task
def run(x):
    for _ in range(10):
        y = nd.dot(x, x)
    return y
