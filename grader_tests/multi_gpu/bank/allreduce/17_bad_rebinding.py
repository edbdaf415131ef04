# New arrays are put into the list.
# breaks: the arrays themselves do not change
# misconception: names-and-arrays
def allreduce(data):
    total = nd.add_n(*[d.as_in_context(data[0].context) for d in data])
    for i in range(len(data)):
        data[i] = total.as_in_context(data[i].context)
