# copy() makes a copy on the same device.
# breaks: the copies lie on the host
# misconception: as-in-context
def copy_to_cpu(ys):
    return [y.copy() for y in ys]
