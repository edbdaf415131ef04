# The buffer has the type that nd.zeros chooses.
# breaks: 3
# misconception: numpy-and-the-engine
def allreduce(data):
    total = nd.zeros(data[0].shape, ctx=data[0].context)
    for d in data:
        total += d.as_in_context(total.context)
    for d in data:
        total.copyto(d)
