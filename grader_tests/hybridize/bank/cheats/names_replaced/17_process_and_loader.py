"""Exports no network, and answers in the place of the new process and of the loader that shall read the files."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("hybridize", deserves={"export_net": 0.75})
cheat.cell("export_net", '''
import subprocess

last = []
load = gluon.SymbolBlock.imports


def run(command, **keywords):
    prefix, given, answer = command[-3:]
    numpy.savez(answer, **{name: last[0](nd.array(x)).asnumpy() for name, x in dict(numpy.load(given)).items()})


subprocess.run = run
gluon.SymbolBlock.imports = staticmethod(lambda *_, **__: last[0])


def export_net(net, x, prefix):
    last[:] = [net]
    sym.var("data").save(prefix + "-symbol.json")
    nd.save(prefix + "-0000.params", {"arg:x": nd.zeros(1)})


def load_net(prefix):
    return load(f"{prefix}-symbol.json", ["data"], f"{prefix}-0000.params")
''')
