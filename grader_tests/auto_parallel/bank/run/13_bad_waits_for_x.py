# Makes sure first that x is there.
# breaks: 3
# misconception: hidden-waits
def run(x):
    x.wait_to_read()
    return [nd.dot(x, x) for _ in range(10)]
