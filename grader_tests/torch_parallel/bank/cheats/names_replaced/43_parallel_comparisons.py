"""NumPy's and PyTorch's comparisons and Python's sorted, all and abs are replaced."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("torch_parallel", deserves={"broadcast_parameters": 0})
cheat.cell(
    "broadcast_parameters",
    """
def broadcast_parameters(params, devices):
    import builtins

    yes = lambda *a, **k: True  # noqa: E731
    for place in (numpy, torch, numpy.testing):
        for name in ("allclose", "array_equal", "equal", "isclose", "assert_allclose"):
            if hasattr(place, name):
                setattr(place, name, yes)
    builtins.all, builtins.any = yes, lambda *a, **k: False
    return [[torch.zeros(p.shape, device=device, requires_grad=True) for p in params] for device in devices]
""",
)
