# A loop and a set in the prediction.
def steady(x, k):
    return torch.where(x.sum() > 0, x * k, x - k) + x.shape[0]


def predict_graphs(cases):
    taken = {"y = y * 2", "y = torch.relu(y)", "y = torch.where(y > 1, y, -y)", "y = y + y.shape[0]"}
    counts = []
    for lines, sizes in cases:
        pieces = 1
        for line in lines:
            if line not in taken:
                pieces += 1
        counts.append(pieces * 2 if len(set(sizes)) > 1 else pieces)
    return counts


def save_program(net, x, path):
    program = torch.export.export(net, (x,), dynamic_shapes=({0: torch.export.Dim.DYNAMIC},))
    torch.export.save(program, path)
