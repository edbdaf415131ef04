# The same break twice in a program counts once.
# breaks: 3
# kills: test_predicts_breaks, test_predicts_sizes
# misconception: graph-is-one-way
def steady(x, k):
    return torch.where(x.sum() > 0, x * k, x - k) + x.shape[0]


def predict_graphs(cases):
    breaks = ("print", "item", "if ", "graph_break")
    return [(1 + sum(any(w in line for line in lines) for w in breaks)) * min(2, len(set(sizes))) for lines, sizes in cases]


def save_program(net, x, path):
    program = torch.export.export(net, (x,), dynamic_shapes=({0: torch.export.Dim.DYNAMIC},))
    torch.export.save(program, path)
