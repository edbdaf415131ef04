# pathlib, and the name of the input read from the program.
from pathlib import Path


def export_net(net, x, prefix):
    net.hybridize()
    net.forward(x)
    net.export(str(Path(prefix)))


def load_net(prefix):
    base = Path(prefix)
    program = base.with_name(base.name + '-symbol.json')
    numbers = base.with_name(base.name + '-0000.params')
    symbol = sym.load(str(program))
    known = {key.split(':', 1)[1] for key in nd.load(str(numbers))}
    inputs = [name for name in symbol.list_inputs() if name not in known]
    return gluon.SymbolBlock.imports(str(program), inputs, str(numbers))
