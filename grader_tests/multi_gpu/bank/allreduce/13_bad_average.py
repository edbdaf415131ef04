# The mean is sent, as some libraries do with gradients.
# breaks: 1
# misconception: replicas-stay-equal
def allreduce(data):
    for i in range(1, len(data)):
        data[0][:] += data[i].copyto(data[0].context)
    data[0][:] /= len(data)
    for i in range(1, len(data)):
        data[0].copyto(data[i])
