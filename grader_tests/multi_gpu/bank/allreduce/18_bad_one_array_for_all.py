# The list gets the same array, on the first device, in every place.
# breaks: the arrays leave their devices, and are not changed
# misconception: names-and-arrays
def allreduce(data):
    total = data[0].copy()
    for d in data[1:]:
        total += d.copyto(total.context)
    for i in range(len(data)):
        data[i] = total
