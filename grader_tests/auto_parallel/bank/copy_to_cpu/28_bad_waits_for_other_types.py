# Arrays that are not float32 go through NumPy.
# breaks: 4
# kills: test_does_not_wait
# misconception: hidden-waits
def copy_to_cpu(ys):
    copies = []
    for y in ys:
        if y.dtype == numpy.float32:
            copies.append(y.copyto(mx.cpu()))
        else:
            copies.append(nd.array(y.asnumpy(), ctx=mx.cpu(), dtype=y.dtype))
    return copies
