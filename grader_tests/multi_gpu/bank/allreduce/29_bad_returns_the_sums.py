# The sums are returned as new arrays.
# breaks: 2
# misconception: names-and-arrays
def allreduce(data):
    total = data[0].copy()
    for d in data[1:]:
        total += d.as_in_context(total.context)
    return [total.copyto(d.context) for d in data]
