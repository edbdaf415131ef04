# Adds long vectors in double precision, which makes a second graph for them.
# breaks: 2
# kills: test_one_program, test_one_graph
# misconception: graph-is-one-way
def steady(x, k):
    total = x.double().sum() if x.shape[0] > 256 else x.sum()
    return torch.where(total > 0, x * k, x - k) + x.shape[0]


def predict_graphs(cases):
    breaks = ("print", "s =", "if", "torch._dynamo")
    return [min(2, len(set(sizes))) * (1 + sum(line.startswith(breaks) for line in lines)) for lines, sizes in cases]


def save_program(net, x, path):
    torch.export.save(torch.export.export(net, (x,), dynamic_shapes=({0: torch.export.Dim.DYNAMIC},)), path)
