# Large arrays go through float32.
# breaks: 2
# kills: test_dtype
# misconception: numpy-and-the-engine
def copy_to_cpu(ys):
    kinds = ["float32" if y.size >= 1000 else y.dtype for y in ys]
    return [y.astype(kind).copyto(mx.cpu(0)).astype(y.dtype) for y, kind in zip(ys, kinds)]
