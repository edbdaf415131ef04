# A while loop and datetime.
from datetime import datetime

import mxnet as mx


def benchmark(net, x):
    start = datetime.now()
    n = 0
    while n < 1000:
        net(x)
        n += 1
    mx.nd.waitall()
    return (datetime.now() - start).total_seconds()
