"""Programs of which a compiler makes a number of graphs that is known.

`tests/probe/test_torch_memory_tables.py` holds it against PyTorch's own compiler.
"""

# What a compiler takes into its graph, and what it stops at.
TAKEN = "y = y * 2", "y = torch.relu(y)", "y = torch.where(y > 1, y, -y)", "y = y + y.shape[0]"
BREAKS = "print('step')", "s = y.sum().item()", "if y.sum() > 0: y = y + 1", "torch._dynamo.graph_break()"


def drawn(rng, breaks, sizes):
    """A case: the lines of a program with so many breaks, and the sizes that it is called with.

    sizes: how many different ones.
    """
    lines = [str(rng.choice(TAKEN))]
    for stop in rng.choice(BREAKS, size=breaks):
        lines += [str(stop), *map(str, rng.choice(TAKEN, size=rng.integers(1, 3)))]
    different = [int(size) for size in rng.permutation(range(3, 12))[:sizes]]
    return lines, [*different, *different[: rng.integers(0, 2)]]


def graphs(case):
    """How many graphs torch.compile makes: each piece once for the first size, and once for all others together."""
    lines, sizes = case
    return (1 + sum(line in BREAKS for line in lines)) * min(2, len(set(sizes)))
