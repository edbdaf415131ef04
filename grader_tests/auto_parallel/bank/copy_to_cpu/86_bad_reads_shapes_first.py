# Waits for the arrays because it wants to know whether they hold numbers.
# breaks: 4
# kills: test_does_not_wait
# misconception: hidden-waits
def copy_to_cpu(ys):
    copies = []
    for y in ys:
        if y.size and y.reshape((-1,))[0:1] == y.reshape((-1,))[0:1]:
            pass
        copies.append(y.as_in_context(mx.cpu(0)))
    return copies
