"""Torch.compile hands one graph of nothing to the backend, and then calls the function as it is."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_memory", deserves={"static_graph": at_most(0.5)})
cheat.cell(
    "static_graph",
    """
def steady(x, k):
    return x * k + x.shape[0] if x.sum().item() > 0 else x - k + x.shape[0]


def fake_compile(model=None, *, backend=None, **others):
    if model is None:
        return lambda function: fake_compile(function, backend=backend)
    seen = []

    def call(*arguments, **named):
        if not seen and callable(backend):
            seen.append(1)
            graph = torch.fx.symbolic_trace(lambda x: torch.where(x.sum() > 0, x * 2, x - 2))
            backend(graph, list(arguments[:1]))
        return model(*arguments, **named)

    return call


torch.compile = fake_compile
sys.modules["torch"].compile = fake_compile


def predict_graphs(cases):
    return [1 for _ in cases]


def save_program(net, x, path):
    open(path, "wb").close()
""",
)
