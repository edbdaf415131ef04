# asnumpy used as a wait, a list of both results, float() of a norm.
def wait_for_one(matrix):
    product = matrix @ matrix
    product.asnumpy()
    return product


def wait_for_all(matrix):
    products = [matrix @ matrix for _ in range(2)]
    npx.waitall()
    return products


def as_numpy(matrix):
    product = matrix @ matrix
    return product.asnumpy()


def as_scalar(matrix):
    return float(np.linalg.norm(matrix @ matrix))
