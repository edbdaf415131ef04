# The product is computed once and reshaped to the shape that it has.
# breaks: 2
# misconception: work-not-done
def run(x):
    ys, product = [], nd.dot(x, x)
    while len(ys) < 10:
        ys.append(nd.reshape(product, product.shape))
    return ys
