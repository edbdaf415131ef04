# Pickles the module: loading it needs its class.
# breaks: 5
# kills: test_any_argument, test_program_runs_elsewhere, test_any_rows
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
    torch.save(net, path)
