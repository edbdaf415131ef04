# Returns numpy arrays.
# breaks: 3
# misconception: hidden-waits
def run(x):
    return [nd.dot(x, x).asnumpy() for _ in range(10)]
