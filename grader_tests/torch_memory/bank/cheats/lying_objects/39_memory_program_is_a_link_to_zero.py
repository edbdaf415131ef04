"""The saved program is a link to a file without an end."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_memory", deserves={"static_graph": at_most(2)})
cheat.cell("static_graph", r'''
def steady(x, k):
    return torch.where(x.sum() > 0, x * k, x - k) + x.shape[0]


def predict_graphs(cases):
    return [1 for _ in cases]


def save_program(net, x, path):
    """A file without an end."""
    os.symlink("/dev/zero", path)
''')
