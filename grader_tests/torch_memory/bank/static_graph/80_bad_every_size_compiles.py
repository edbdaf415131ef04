# Counts one more compilation for each size that was not there before.
# breaks: 2
# kills: test_predicts_sizes
# misconception: graph-is-one-way
def steady(x, k):
    return torch.where(x.sum() > 0, x * k, x - k) + x.shape[0]


def predict_graphs(cases):
    words = ("print", ".item()", "if ", "graph_break")
    return [
        (1 + sum(any(word in line for word in words) for line in lines)) * len(set(sizes)) for lines, sizes in cases
    ]


def save_program(net, x, path):
    program = torch.export.export(net, (x,), dynamic_shapes=({0: torch.export.Dim.DYNAMIC},))
    torch.export.save(program, path)
