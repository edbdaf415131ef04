# Returns numpy arrays.
# breaks: nothing is waited for; the results are NDArrays
# misconception: hidden-waits
def run(x):
    return [nd.dot(x, x).asnumpy() for _ in range(10)]
