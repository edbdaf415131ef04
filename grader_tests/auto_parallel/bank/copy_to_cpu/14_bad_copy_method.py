# copy() makes a copy on the same device.
# breaks: 3
# misconception: as-in-context
def copy_to_cpu(ys):
    return [y.copy() for y in ys]
