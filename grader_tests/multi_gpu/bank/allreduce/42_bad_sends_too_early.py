# One loop adds and sends: with two devices that is right.
# breaks: 1
# misconception: replicas-stay-equal
def allreduce(data):
    for other in data[1:]:
        data[0][:] += other.copyto(data[0].context)
        data[0].copyto(other)
