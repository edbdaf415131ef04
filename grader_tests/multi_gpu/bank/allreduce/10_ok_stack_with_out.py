# A stack of all copies is summed into the last array; its values overwrite the others. A print that needs no values.
def allreduce(data):
    *others, last = data
    print('allreduce on', last.context, last.shape, last.dtype)
    stack = nd.stack(*[array.as_in_context(last.context) for array in data], axis=0)
    nd.sum(stack, axis=0, out=last)
    for other in others:
        other[:] = last.as_in_context(other.context)
