# Puts the copies into the caller's list.
# breaks: 6
# misconception: names-and-arrays
def copy_to_cpu(ys):
    for i in range(len(ys)):
        ys[i] = ys[i].copyto(mx.cpu())
    return ys
