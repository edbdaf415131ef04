# Torch.cond keeps both branches in one graph; predict_graphs asks the compiler.
def steady(x, k):
    y = torch.cond(x.sum() > 0, lambda x: x * k, lambda x: x - k, (x,))
    return y + x.shape[0]


def predict_graphs(cases):
    def program(lines):
        source = "def program(y):\n" + "".join(f"    {line}\n" for line in [*lines, "return y"])
        names = {"torch": torch}
        exec(source, names)
        return names["program"]

    def count(function, sizes):
        graphs = []
        torch.compiler.reset()
        compiled = torch.compile(function, backend=lambda graph, inputs: graphs.append(graph) or graph.forward)
        for size in sizes:
            compiled(torch.ones(size))
        return len(graphs)

    return [count(program(lines), sizes) for lines, sizes in cases]


def save_program(net, x, path):
    rows = torch.export.Dim("rows", min=2)
    torch.export.save(torch.export.export(net, (x,), dynamic_shapes=({0: rows},)), path)
