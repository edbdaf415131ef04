# Adds up in float32, whatever the type.
# breaks: 3
# misconception: numpy-and-the-engine
def allreduce(data):
    total = nd.zeros(data[0].shape, ctx=data[0].context)
    for array in data:
        total = total + array.as_in_context(total.context).astype("float32")
    for array in data:
        array[:] = total.as_in_context(array.context).astype(array.dtype)
