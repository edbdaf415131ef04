# Only the first two sizes are compared.
# breaks: 4
# kills: test_predicts_sizes
# misconception: graph-is-one-way
def steady(x, k):
    return torch.where(x.sum() > 0, x * k, x - k) + x.shape[0]


def predict_graphs(cases):
    breaks = ("print", "item", "if ", "graph_break")
    found = []
    for lines, sizes in cases:
        parts = 1 + sum(any(word in line for word in breaks) for line in lines)
        found.append(parts * min(2, len(set(sizes[:2]))))
    return found


def save_program(net, x, path):
    program = torch.export.export(net, (x,), dynamic_shapes=({0: torch.export.Dim.DYNAMIC},))
    torch.export.save(program, path)
