# The sum of the others is added; with one device there is no other.
# breaks: 4
# misconception: reads-the-task
def allreduce(data):
    place = data[0].context
    data[0] += nd.add_n(*[d.as_in_context(place) for d in data[1:]])
    for d in data[1:]:
        data[0].copyto(d)
