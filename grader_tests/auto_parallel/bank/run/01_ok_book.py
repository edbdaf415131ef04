# The book's list comprehension.
def run(x):
    return [nd.dot(x, x) for _ in range(10)]
