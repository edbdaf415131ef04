# The order of copyto is wrong: the zeros are copied over the results.
# breaks: 1
# misconception: reads-the-task
def copy_to_cpu(ys):
    copies = []
    for y in ys:
        copy = nd.zeros(y.shape, ctx=mx.cpu(), dtype=y.dtype)
        copy.copyto(y)
        copies.append(copy)
    return copies
