# Large arrays get new arrays in the list.
# breaks: 2
# kills: test_in_place
# misconception: names-and-arrays
def allreduce(data):
    total = data[0].copy()
    for other in data[1:]:
        total = total + other.copyto(data[0].context)
    for i in range(len(data)):
        if total.size >= 100:
            data[i] = total.copyto(data[i].context)
        else:
            total.copyto(data[i])
