# Puts the copies into the list that it got.
# breaks: "It leaves the list ys and its arrays as they are."
# kills: test_leaves_ys_alone
# misconception: names-and-arrays
def copy_to_cpu(ys):
    for i, y in enumerate(ys):
        ys[i] = y.copyto(mx.cpu())
    return ys
