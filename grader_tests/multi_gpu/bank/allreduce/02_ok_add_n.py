# One operator adds all copies; slices are assigned.
def allreduce(data):
    first = data[0].context
    total = nd.add_n(*[array.as_in_context(first) for array in data])
    for array in data:
        array[:] = total
