# Buffers of the shape of the first array only.
# breaks: 1
# misconception: reads-the-task
def copy_to_cpu(ys):
    copies = [nd.zeros(ys[0].shape, ctx=mx.cpu()) for _ in ys]
    for y, copy in zip(ys, copies):
        copy[:] = y
    return copies
