# range(1, 10) has nine numbers.
# breaks: there are ten results
def run(x):
    return [nd.dot(x, x) for i in range(1, 10)]
