# Adds .pt2 to a path that ends otherwise.
# breaks: 6
# kills: test_any_argument
# misconception: reads-the-task
def steady(x, k):
    return torch.where(x.sum() > 0, x * k, x - k) + x.shape[0]


def predict_graphs(cases):
    breaks = ("print", "item", "if ", "graph_break")
    found = []
    for lines, sizes in cases:
        parts = 1 + sum(any(word in line for word in breaks) for line in lines)
        found.append(parts * min(2, len(set(sizes))))
    return found


def save_program(net, x, path):
    if not str(path).endswith(".pt2"):
        path = f"{path}.pt2"
    program = torch.export.export(net, (x,), dynamic_shapes=({0: torch.export.Dim.DYNAMIC},))
    torch.export.save(program, path)
