# Whole numbers go through float64.
# breaks: 2
# kills: test_dtype
# misconception: numpy-and-the-engine
def copy_to_cpu(ys):
    copies = [y.astype("float64").copyto(mx.cpu(0)) for y in ys]
    return [copy.astype(y.dtype) for copy, y in zip(copies, ys)]
