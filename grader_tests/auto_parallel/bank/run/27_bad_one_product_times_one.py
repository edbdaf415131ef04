# One product; ten arrays are made of it, each times one.
# breaks: 2
# misconception: work-not-done
def run(x):
    product = nd.dot(x, x)
    return [product * 1 for _ in range(10)]
