# A small helper that makes one product, a tuple of ten calls.
def multiply(matrix):
    return nd.dot(matrix, matrix)


def run(x):
    return tuple(map(multiply, [x] * 10))
