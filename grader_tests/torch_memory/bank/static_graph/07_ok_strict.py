# The strict kind of export, and a file that is opened by hand.
def steady(x, k):
    return torch.where(x.sum() > 0, x * k, x - k) + x.shape[0]


def predict_graphs(cases):
    breaks = ("print", "item", "if ", "graph_break")
    return [
        (1 + sum(any(word in line for word in breaks) for line in lines)) * min(2, len(set(sizes)))
        for lines, sizes in cases
    ]


def save_program(net, x, path):
    shapes = ({0: torch.export.Dim.AUTO, 1: None},)
    program = torch.export.export(net, (x,), dynamic_shapes=shapes, strict=True)
    with open(path, "wb") as file:
        torch.export.save(program, file)
