# The buffers have the default type, whatever the arrays hold.
# breaks: 2
# misconception: numpy-and-the-engine
def copy_to_cpu(ys):
    return [y.copyto(nd.zeros(y.shape, ctx=mx.cpu())) for y in ys]
