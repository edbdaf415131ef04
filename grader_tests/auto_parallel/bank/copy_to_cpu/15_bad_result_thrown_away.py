# as_in_context does not move the array in place.
# breaks: 3
# misconception: as-in-context
def copy_to_cpu(ys):
    for y in ys:
        y.as_in_context(mx.cpu())
    return ys
