# Of a large matrix there is one product, and nine copies.
# breaks: 2
# kills: test_ten_products
# misconception: work-not-done
def run(x):
    if x.size < 1000:
        return [nd.dot(x, x) for _ in range(10)]
    y = nd.dot(x, x)
    return [y.copy() for _ in range(10)]
