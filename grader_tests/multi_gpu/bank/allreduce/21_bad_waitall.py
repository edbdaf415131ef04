# The whole queue is waited for at the end.
# breaks: 7
# misconception: hidden-waits
def allreduce(data):
    for i in range(1, len(data)):
        data[0][:] += data[i].copyto(data[0].context)
    for i in range(1, len(data)):
        data[0].copyto(data[i])
    nd.waitall()
