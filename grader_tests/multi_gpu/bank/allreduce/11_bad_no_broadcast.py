# Only the first array gets the sum.
# breaks: the sum is not sent to the other devices
# misconception: replicas-stay-equal
def allreduce(data):
    for i in range(1, len(data)):
        data[0][:] += data[i].copyto(data[0].context)
