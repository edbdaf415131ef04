# Adds up in an array of zeros on the host, of the usual type.
# breaks: 3
# kills: test_float64, test_int32
# misconception: numpy-and-the-engine
def allreduce(data):
    host = mx.cpu(0)
    total = nd.zeros(data[0].shape, ctx=host)
    for array in data:
        total += array.copyto(host).astype("float32")
    for array in data:
        array[:] = total.astype(array.dtype)
