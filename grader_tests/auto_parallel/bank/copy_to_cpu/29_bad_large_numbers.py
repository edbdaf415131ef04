# Whole numbers go through float32 only.
# breaks: 1
# misconception: numpy-and-the-engine
def copy_to_cpu(ys):
    copies = []
    for y in ys:
        if y.dtype == numpy.int32:
            copies.append(y.astype('float32').copyto(mx.cpu()).astype('int32'))
        else:
            copies.append(y.copyto(mx.cpu()))
    return copies
