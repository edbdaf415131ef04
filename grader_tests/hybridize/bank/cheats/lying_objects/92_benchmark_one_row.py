"""1,000 passes of one row of x, not of x."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("hybridize", deserves={"net_benchmark": at_most(1.49)})
cheat.cell("net_benchmark", '''
import time
from mxnet import nd
def benchmark(net, x):
    net(x).wait_to_read()
    row = x[:1]
    began = time.perf_counter()
    for _ in range(1000):
        y = net(row)
    nd.waitall()
    return time.perf_counter() - began
''')
