# Both branches in a stack, from which a number on the tensor's side picks one.
def steady(x, k):
    both = torch.stack([x - k, x * k])
    chosen = (x.sum() > 0).long()
    return both.index_select(0, chosen.reshape(1)).squeeze(0) + x.numel()


BREAKS = ("print", "item", "if ", "graph_break")


def predict_graphs(cases):
    answers = []
    for lines, sizes in cases:
        pieces, fresh = 1, True
        for line in lines:
            broken = any(word in line for word in BREAKS)
            pieces += broken and not fresh
            fresh = broken
        compiled = 1
        for earlier, now in zip(sizes, sizes[1:]):
            if now != earlier:
                compiled = 2
        answers.append(pieces * compiled)
    return answers


def save_program(net, x, path):
    example = torch.zeros(5, *x.shape[1:], dtype=x.dtype)
    with torch.no_grad():
        program = torch.export.export(net, (example,), dynamic_shapes=[{0: torch.export.Dim.AUTO}], strict=False)
    torch.export.save(program, path)
