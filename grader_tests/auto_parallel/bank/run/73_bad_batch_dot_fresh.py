# One batch_dot over a stack of ten, cut into ten arrays.
# breaks: "each one a piece of work of its own (not ten rows of one large array)".
# kills: test_ten_products
# misconception: work-not-done
def run(x):
    ten = nd.stack(*[x] * 10)
    return [y.squeeze(axis=0) for y in nd.batch_dot(ten, ten).split(10, axis=0)]
