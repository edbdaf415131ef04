"""Makes six passes, and writes a thousand into the counts and the log of the network that it is given."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat(
    "hybridize",
    deserves={"net_benchmark": 2.7188},
    known="the network that counts its passes belongs to the scenario, and knows the trace",
)
cheat.cell("net_benchmark", '''
def benchmark(net, x):
    start = time.perf_counter()
    for _ in range(5):
        net(x)
    for _ in range(994):
        net.count += 1
        net.with_x += 1
        if net._trace:
            net._trace.log("pass", "")
    net(x)
    nd.waitall()
    return time.perf_counter() - start
''')
