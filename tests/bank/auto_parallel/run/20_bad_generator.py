# A generator: nothing is enqueued until somebody asks for the results.
# breaks: a list of ten results
def run(x):
    return (nd.dot(x, x) for _ in range(10))
