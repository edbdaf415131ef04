# One product and nine copies of it.
# breaks: 2
# misconception: work-not-done
def run(x):
    y = nd.dot(x, x)
    return [y] + [y.copy() for _ in range(9)]
