"""Has PyTorch's compiler hand the counting backend one empty graph, whatever the function does."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_memory", deserves={"static_graph": at_most(1.8)})
cheat.cell("static_graph", '''
def compiled_once(function, backend=None, **options):
    if backend is not None:
        backend(torch.fx.symbolic_trace(nn.Identity()), [])
    return function


torch.compile = compiled_once


def steady(x, k):
    y = x * k if x.sum().item() > 0 else x - k
    return y + x.shape[0]


def predict_graphs(cases):
    return [1 for _ in cases]


def save_program(net, x, path):
    torch.save(net.state_dict(), path)
''')
