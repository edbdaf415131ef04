# Waits for all products before it returns them.
# breaks: 3
# misconception: hidden-waits
def run(x):
    ys = [nd.dot(x, x) for _ in range(10)]
    nd.waitall()
    return ys
