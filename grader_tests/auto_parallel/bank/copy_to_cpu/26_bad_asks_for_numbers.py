# Skips arrays of zeros: to know that, it must look at the numbers.
# breaks: 4
# misconception: hidden-waits
def copy_to_cpu(ys):
    copies = []
    for y in ys:
        if y.abs().sum() > 0:
            copies.append(y.copyto(mx.cpu()))
        else:
            copies.append(nd.zeros(y.shape, ctx=mx.cpu(), dtype=y.dtype))
    return copies
