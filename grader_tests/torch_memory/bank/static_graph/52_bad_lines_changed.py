# Takes lines and sizes out of the lists that it was given.
# breaks: 9
# kills: test_list_stays
# misconception: reads-the-task
def steady(x, k):
    return torch.where(x.sum() > 0, x * k, x - k) + x.shape[0]


def predict_graphs(cases):
    breaking, told = ("print", "s =", "if ", "torch._dynamo"), []
    while cases:
        lines, sizes = cases.pop(0)
        told.append((1 + sum(line.startswith(breaking) for line in lines)) * min(2, len(set(sizes))))
        lines.clear()
    return told


def save_program(net, x, path):
    shapes = ({0: torch.export.Dim.DYNAMIC},)
    torch.export.save(torch.export.export(net, (x,), dynamic_shapes=shapes), path)
