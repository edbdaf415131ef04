# Written with the example of two devices in mind.
# breaks: 4
# misconception: replicas-stay-equal
def allreduce(data):
    if len(data) > 1:
        data[0][:] += data[1].copyto(data[0].context)
        data[0].copyto(data[1])
