# It waits for a matrix of one number.
# breaks: 3
# kills: test_does_not_wait
# misconception: hidden-waits
def run(x):
    ys = [nd.dot(x, x) for _ in range(10)]
    if x.size == 1:
        nd.waitall()
    return ys
