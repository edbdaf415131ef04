# Two products; ten results are made of them with + 0.
# breaks: 2
# misconception: work-not-done
def run(x):
    first, second = nd.dot(x, x), nd.dot(x, x)
    return [first + 0] + [second + 0 for _ in range(9)]
