# cpu(1) is not the host.
# breaks: the copies lie on the host
# misconception: as-in-context
def copy_to_cpu(ys):
    return [y.copyto(mx.cpu(1)) for y in ys]
