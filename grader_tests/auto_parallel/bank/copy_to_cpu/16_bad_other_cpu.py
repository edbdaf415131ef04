# cpu(1) is not the host.
# breaks: 3
# misconception: as-in-context
def copy_to_cpu(ys):
    return [y.copyto(mx.cpu(1)) for y in ys]
