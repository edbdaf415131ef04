# Numbers 0 and 1 pick the branch; regular expressions find the breaks.
import re


def steady(x, k):
    positive = x.sum().gt(0).to(x.dtype)
    factor = positive * k + (1 - positive)
    return x * factor - (1 - positive) * k + len(x)


def predict_graphs(cases):
    stop = re.compile(r"^(print\(|if |torch\._dynamo)|\.item\(\)")

    def count(lines, sizes):
        graphs = 1 + sum(bool(stop.search(line)) for line in lines)
        return graphs if len(set(sizes)) == 1 else 2 * graphs

    return [count(*case) for case in cases]


def save_program(net, x, path):
    class Wrapped(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = net

        def forward(self, rows):
            return self.inner(rows)

    if len(x) < 2:
        x = x.expand(2, -1).clone()
    program = torch.export.export(Wrapped(), args=(x,), dynamic_shapes={"rows": {0: torch.export.Dim.DYNAMIC}})
    with open(path, "wb") as file:
        torch.export.save(program, file)
