# Exports a program for 2 to 4096 rows.
# breaks: 7
# kills: test_any_rows
# misconception: graph-is-one-way
def steady(x, k):
    return torch.where(x.sum() > 0, x * k, x - k) + x.shape[0]


def predict_graphs(cases):
    breaks = ("print", "s =", "if", "torch._dynamo")
    return [min(2, len(set(sizes))) * (1 + sum(line.startswith(breaks) for line in lines)) for lines, sizes in cases]


def save_program(net, x, path):
    rows = torch.export.Dim("rows", min=2, max=4096)
    torch.export.save(torch.export.export(net, (x,), dynamic_shapes=({0: rows},)), path)
