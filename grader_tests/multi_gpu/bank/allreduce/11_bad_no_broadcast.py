# Only the first array gets the sum.
# breaks: 1
# misconception: replicas-stay-equal
def allreduce(data):
    for i in range(1, len(data)):
        data[0][:] += data[i].copyto(data[0].context)
