# The program of the first network of a class is written for every later one.
# breaks: 5
# kills: test_any_rows
# misconception: graph-is-one-way
PROGRAMS = {}


def steady(x, k):
    return torch.where(x.sum() > 0, x * k, x - k) + x.shape[0]


def predict_graphs(cases):
    breaks = ("print", "item", "if ", "graph_break")
    return [
        (1 + sum(any(word in line for word in breaks) for line in lines)) * min(2, len(set(sizes)))
        for lines, sizes in cases
    ]


def save_program(net, x, path):
    key = type(net), tuple(x.shape[1:])
    if key not in PROGRAMS:
        PROGRAMS[key] = torch.export.export(net, (x,), dynamic_shapes=({0: torch.export.Dim.DYNAMIC},))
    torch.export.save(PROGRAMS[key], path)
