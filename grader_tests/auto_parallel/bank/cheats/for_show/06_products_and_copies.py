"""Ten products and ten copies for show; NumPy makes what is returned."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("auto_parallel", deserves={"run_and_copy": at_most(1.99)})
cheat.cell("run_and_copy", '''
def run_and_copy(x):
    product = numpy.dot(x.asnumpy(), x.asnumpy())
    copies = [nd.dot(x, x).copyto(mx.cpu(0)) for _ in range(10)]
    nd.waitall()
    return [nd.array(product, ctx=mx.cpu(0)) for _ in copies]
''')
