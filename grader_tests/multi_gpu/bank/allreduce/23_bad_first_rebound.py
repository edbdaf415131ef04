# data[0] = ... makes a new array; the others are right.
# breaks: 2
# misconception: names-and-arrays
def allreduce(data):
    for i in range(1, len(data)):
        data[0] = data[0] + data[i].copyto(data[0].context)
    for i in range(1, len(data)):
        data[0].copyto(data[i])
