# A loop of Python over k: another program for each k.
# breaks: 2
# kills: test_one_program, test_one_graph
# misconception: graph-is-one-way
def steady(x, k):
    up = torch.zeros_like(x)
    for _ in range(k):
        up = up + x
    return torch.where(x.sum() > 0, up, x - k) + x.shape[0]


def predict_graphs(cases):
    breaks = ("print", "item", "if ", "graph_break")
    return [
        (1 + sum(any(word in line for word in breaks) for line in lines)) * min(2, len(set(sizes)))
        for lines, sizes in cases
    ]


def save_program(net, x, path):
    program = torch.export.export(net, (x,), dynamic_shapes=({0: torch.export.Dim.DYNAMIC},))
    torch.export.save(program, path)
