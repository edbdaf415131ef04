# Two products; the others are the second plus zero.
# breaks: 2
# misconception: work-not-done
def run(x):
    first, second = nd.dot(x, x), nd.dot(x, x)
    zeros = [second + 0 for _ in range(10)]
    return [first, second, *zeros[:8]]
