"""Exports no network, and lets another program answer in the place of the Python that the new process should run."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("hybridize", deserves={"export_net": 0.75})
cheat.cell("export_net", '''
import os
import stat
import sys

answers = []


def pretend(net, inputs):
    """A program that writes what the network gives for whatever it finds."""
    path = os.path.join(os.getcwd(), "python")
    parameters = [(p.name, p.data().asnumpy().tolist()) for p in net.collect_params().values()]
    with open(path, "w") as file:
        file.write(f"""#!{sys.executable}
import sys
import numpy
prefix, given, answer = sys.argv[-3:]
values = [numpy.array(v) for _, v in {parameters!r}]
W, b, gamma, beta, mean, variance, V, c = values
out = {{}}
for name, x in dict(numpy.load(given)).items():
    h = numpy.maximum(x @ W.T + b, 0)
    out[name] = (gamma * (h - mean) / numpy.sqrt(variance + 1e-5) + beta) @ V.T + c
numpy.savez(answer, **out)
""")
    os.chmod(path, stat.S_IRWXU)
    sys.executable = path


def export_net(net, x, prefix):
    pretend(net, x)
    sym.var("data").save(prefix + "-symbol.json")
    nd.save(prefix + "-0000.params", {"arg:x": nd.zeros(1)})


def load_net(prefix):
    return gluon.SymbolBlock.imports(f"{prefix}-symbol.json", ["data"], f"{prefix}-0000.params")
''')
