# Knows four types.
# breaks: 2
# misconception: numpy-and-the-engine
def copy_to_cpu(ys):
    kinds = {"float32", "float16", "float64", "int32"}
    return [y.copyto(host) if numpy.dtype(y.dtype).name in kinds else y.astype("float32").copyto(host) for y in ys]
