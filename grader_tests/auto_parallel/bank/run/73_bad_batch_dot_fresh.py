# One batch_dot over a stack of ten, cut into ten arrays.
# breaks: 2
# kills: test_ten_products
# misconception: work-not-done
def run(x):
    ten = nd.stack(*[x] * 10)
    return [y.squeeze(axis=0) for y in nd.batch_dot(ten, ten).split(10, axis=0)]
