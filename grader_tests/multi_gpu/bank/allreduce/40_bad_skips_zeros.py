# A sum of zeros need not be sent, so it is looked at first.
# breaks: 7
# misconception: hidden-waits
def allreduce(data):
    for other in data[1:]:
        data[0][:] += other.copyto(data[0].context)
    if data[0].abs().sum() == 0:
        return
    for other in data[1:]:
        data[0].copyto(other)
