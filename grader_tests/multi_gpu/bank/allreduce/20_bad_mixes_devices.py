# The copy to the first device is forgotten: it works on CPU contexts all the same.
# breaks: 6
# misconception: devices-mix
def allreduce(data):
    for i in range(1, len(data)):
        data[0][:] += data[i]
    for i in range(1, len(data)):
        data[i][:] = data[0]
