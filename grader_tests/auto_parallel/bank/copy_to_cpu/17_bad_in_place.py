# Puts the copies into the caller's list.
# breaks: ys stays as it is
# misconception: names-and-arrays
def copy_to_cpu(ys):
    for i in range(len(ys)):
        ys[i] = ys[i].copyto(mx.cpu())
    return ys
