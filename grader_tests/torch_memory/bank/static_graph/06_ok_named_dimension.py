# A dimension with a name, by the argument's name.
def steady(x, k):
    return torch.where(x.sum() > 0, x * k, x - k) + x.shape[0]


def predict_graphs(cases):
    breaks = ("print", "item", "if ", "graph_break")
    return [
        (1 + sum(any(word in line for word in breaks) for line in lines)) * min(2, len(set(sizes)))
        for lines, sizes in cases
    ]


def save_program(net, x, path):
    net.eval()
    rows = torch.export.Dim("rows", min=2)
    with torch.no_grad():
        torch.export.save(torch.export.export(net, args=(x,), dynamic_shapes=[{0: rows}]), path)
