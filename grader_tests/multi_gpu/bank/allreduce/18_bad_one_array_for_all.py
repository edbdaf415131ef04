# The list gets the same array, on the first device, in every place.
# breaks: 2
# misconception: names-and-arrays
def allreduce(data):
    total = data[0].copy()
    for d in data[1:]:
        total += d.copyto(total.context)
    for i in range(len(data)):
        data[i] = total
