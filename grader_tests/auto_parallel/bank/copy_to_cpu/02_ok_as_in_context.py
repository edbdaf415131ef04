# as_in_context: the arrays are on another device, so each one is copied.
def copy_to_cpu(ys):
    copies = []
    for y in ys:
        copies.append(y.as_in_context(mx.cpu(0)))
    return copies
