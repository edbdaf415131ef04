# It waits for other types than float32.
# breaks: 3
# kills: test_does_not_wait
# misconception: hidden-waits
def run(x):
    ys = [nd.dot(x, x) for _ in range(10)]
    if x.dtype.__name__ != "float32":
        nd.waitall()
    return ys
