# New arrays on devices(k)[i] take the places in the list.
# breaks: 2
# misconception: names-and-arrays
def allreduce(data):
    ctx = devices(len(data))
    total = nd.add_n(*[array.as_in_context(ctx[0]) for array in data])
    for i in range(len(data)):
        data[i] = total.copyto(ctx[i])
