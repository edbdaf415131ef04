# Arrays of the same shape and type share one buffer.
# breaks: 1
# misconception: reads-the-task
def copy_to_cpu(ys):
    buffers, copies = {}, []
    for y in ys:
        key = y.shape, y.dtype
        if key not in buffers:
            buffers[key] = nd.empty(y.shape, ctx=mx.cpu(), dtype=y.dtype)
        copies.append(y.copyto(buffers[key]))
    return copies
