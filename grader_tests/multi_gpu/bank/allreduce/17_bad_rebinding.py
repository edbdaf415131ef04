# New arrays are put into the list.
# breaks: 2
# misconception: names-and-arrays
def allreduce(data):
    total = nd.add_n(*[d.as_in_context(data[0].context) for d in data])
    for i in range(len(data)):
        data[i] = total.as_in_context(data[i].context)
