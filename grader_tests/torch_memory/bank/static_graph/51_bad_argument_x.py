# Names the argument of forward: x.
# breaks: 8
# kills: test_any_argument, test_any_rows, test_program_runs_elsewhere
# misconception: graph-is-one-way
def steady(x, k):
    return torch.where(x.sum() > 0, x * k, x - k) + x.shape[0]


def predict_graphs(cases):
    breaks = ("print", "item", "if ", "graph_break")
    return [
        (1 + sum(any(word in line for word in breaks) for line in lines)) * min(2, len(set(sizes)))
        for lines, sizes in cases
    ]


def save_program(net, x, path):
    program = torch.export.export(net, (x,), dynamic_shapes={"x": {0: torch.export.Dim.DYNAMIC}})
    torch.export.save(program, path)
