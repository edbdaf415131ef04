# Puts the copies into the list that it got.
# breaks: 6
# kills: test_leaves_ys_alone
# misconception: names-and-arrays
def copy_to_cpu(ys):
    for i, y in enumerate(ys):
        ys[i] = y.copyto(mx.cpu())
    return ys
