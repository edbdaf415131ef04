# Waits for every product, as a timing loop would.
# breaks: 3
# misconception: hidden-waits
def run(x):
    ys = []
    for _ in range(10):
        y = nd.dot(x, x)
        y.wait_to_read()
        ys.append(y)
    return ys
