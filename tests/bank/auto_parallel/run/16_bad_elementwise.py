# x * x is not the matrix product.
# breaks: the values
def run(x):
    return [x * x for _ in range(10)]
