# The sum is computed in float32, whatever the type of the arrays.
# breaks: 3
# misconception: numpy-and-the-engine
def allreduce(data):
    total = sum(d.astype('float32').copyto(data[0].context) for d in data)
    for d in data:
        d[:] = total.astype(d.dtype)
