# copy() makes a copy on the same device.
# breaks: the copies lie on the host
def copy_to_cpu(ys):
    return [y.copy() for y in ys]
