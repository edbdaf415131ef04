# The module is pickled: loading it needs its class.
# breaks: 5
# kills: test_any_argument, test_any_rows, test_program_runs_elsewhere
# misconception: graph-is-one-way
def steady(x, k):
    return torch.where(x.sum() > 0, x * k, x - k) + x.shape[0]


def predict_graphs(cases):
    words = ("print", ".item()", "if ", "graph_break")
    return [
        (1 + sum(any(word in line for word in words) for line in lines)) * min(2, len(set(sizes)))
        for lines, sizes in cases
    ]


def save_program(net, x, path):
    torch.save(net, path)
