# Weights of 0 and 1.
def steady(x, k):
    up = (x.sum() > 0).to(x.dtype)
    return up * (x * k) + (1 - up) * (x - k) + x.size(0)


def predict_graphs(cases):
    breaks = ("print", "item", "if ", "graph_break")
    return [
        (1 + sum(any(word in line for word in breaks) for line in lines)) * min(2, len(set(sizes)))
        for lines, sizes in cases
    ]


def save_program(net, x, path):
    program = torch.export.export(net, (x,), dynamic_shapes=({0: torch.export.Dim.DYNAMIC},))
    torch.export.save(program, path)
