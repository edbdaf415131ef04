# Ten products are in the queue; what is returned are ten copies of the first one.
# breaks: 2
# kills: test_ten_products
# misconception: work-not-done
def run(x):
    ys = [nd.dot(x, x) for _ in range(10)]
    return [ys[0].copy() for _ in ys]
