"""Programs of which a compiler makes a number of graphs that is known.

`tests/probe/test_torch_memory_tables.py` holds it against PyTorch's own compiler.
"""

from itertools import cycle, islice

# What a compiler takes into its graph, and what it stops at.
TAKEN = "y = y * 2", "y = torch.relu(y)", "y = torch.where(y > 1, y, -y)", "y = y + y.shape[0]"
BREAKS = "print('step')", "s = y.sum().item()", "if y.sum() > 0: y = y + 1", "torch._dynamo.graph_break()"


def drawn(rng, kinds):
    """Cases: the lines of a program with breaks, and the sizes that it is called with.

    kinds: of each how many breaks, and how many different sizes.  Each line is there, if there are enough of its kind;
    and in every second case a break and a size come once more, the size at once or in the end.
    """
    taken, stops = (cycle(map(str, rng.permutation(lines))) for lines in (TAKEN, BREAKS))
    cases = []
    for number, (breaks, sizes) in enumerate(kinds):
        lines = [next(taken)]
        different = list(islice(stops, breaks))
        for stop in [*different, *different[: number % 2]]:
            lines += [stop, *islice(taken, int(rng.integers(1, 3)))]
        different = [int(size) for size in rng.permutation(range(3, 12))[:sizes]]
        place = 1 if number % 4 == 1 else len(different)
        cases.append((lines, [*different[:place], *different[: number % 2], *different[place:]]))
    return cases


def graphs(case):
    """How many graphs torch.compile makes: each piece once for the first size, and once for all others together."""
    lines, sizes = case
    return (1 + sum(line in BREAKS for line in lines)) * min(2, len(set(sizes)))
