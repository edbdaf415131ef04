# A list with both branches, from which a Python number picks one: item by another name.
# breaks: 2
# kills: test_one_graph, test_one_program
# misconception: graph-is-one-way
def steady(x, k):
    return [x - k, x * k][int(x.sum() > 0)] + x.shape[0]


def predict_graphs(cases):
    words = ("print", ".item()", "if ", "graph_break")
    return [
        (1 + sum(any(word in line for word in words) for line in lines)) * min(2, len(set(sizes)))
        for lines, sizes in cases
    ]


def save_program(net, x, path):
    program = torch.export.export(net, (x,), dynamic_shapes=({0: torch.export.Dim.DYNAMIC},))
    torch.export.save(program, path)
