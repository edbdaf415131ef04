# To save work, the arrays are compared first.
# breaks: 7
# misconception: hidden-waits
def allreduce(data):
    if all((d == 0).sum().asscalar() == d.size for d in data):
        return
    for i in range(1, len(data)):
        data[0][:] += data[i].copyto(data[0].context)
    for i in range(1, len(data)):
        data[0].copyto(data[i])
