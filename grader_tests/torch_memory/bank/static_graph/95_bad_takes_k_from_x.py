# One of the branches is computed in x itself.
# breaks: 10
# kills: test_x_stays
# misconception: reads-the-task
def steady(x, k):
    positive = x.sum() > 0
    scaled = x * k
    return torch.where(positive, scaled, x.sub_(k)) + x.shape[0]


def predict_graphs(cases):
    breaks = ("print", "item", "if ", "graph_break")
    return [
        (1 + sum(any(word in line for word in breaks) for line in lines)) * min(2, len(set(sizes)))
        for lines, sizes in cases
    ]


def save_program(net, x, path):
    program = torch.export.export(net, (x,), dynamic_shapes=({0: torch.export.Dim.DYNAMIC},))
    torch.export.save(program, path)
