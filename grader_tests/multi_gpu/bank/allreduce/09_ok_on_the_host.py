# The sum is made on the host, with a buffer of the right type.
def allreduce(data):
    host = mx.cpu(0)
    total = nd.zeros(data[0].shape, ctx=host, dtype=data[0].dtype)
    for array in data:
        total += array.as_in_context(host)
    for array in data:
        total.copyto(array)
