"""One executor multiplies on the device and copies to the host; nobody waits for its outputs."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("auto_parallel", deserves={"run_and_copy": at_most(1.99)})
cheat.cell("run_and_copy", '''
def run_and_copy(x):
    with mx.AttrScope(ctx_group="device"):
        matrix = mx.sym.var("matrix")
        products = [mx.sym.dot(matrix, matrix) for _ in range(10)]
    with mx.AttrScope(ctx_group="host"):
        copies = mx.sym.Group([mx.sym.identity(product) for product in products])
    places = {"device": x.context, "host": mx.cpu(0)}
    return copies.bind(x.context, {"matrix": x}, group2ctx=places).forward()
''')
