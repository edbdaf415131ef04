# Computes one product and copies it: the ten are equal anyway.
# breaks: 2
# kills: test_ten_products
# misconception: work-not-done
def run(x):
    y = nd.dot(x, x)
    return [y] + [y.copy() for _ in range(9)]
