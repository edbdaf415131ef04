# A class holds the product; the four functions are short.
class Product:
    def __init__(self, x, how_many=1):
        self.parts = [x @ x for _ in range(how_many)]

    def __iter__(self):
        return iter(self.parts)

    def __float__(self):
        return float(np.linalg.norm(self.parts[0]))


def wait_for_one(x):
    y, = Product(x)
    y.wait_to_read()
    return y


def wait_for_all(x):
    y, z = Product(x, 2)
    npx.waitall()
    return y, z


def as_numpy(x):
    return [*Product(x)][0].asnumpy().copy()


def as_scalar(x):
    return numpy.float32(Product(x))
