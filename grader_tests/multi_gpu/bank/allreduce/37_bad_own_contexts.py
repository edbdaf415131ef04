# Array i is taken to be on devices(k)[i].
# breaks: the arrays may be in another order, and then devices mix
# misconception: devices-mix
def allreduce(data):
    ctx = devices(len(data))
    for other in data[1:]:
        data[0][:] += other.copyto(ctx[0])
    for other in data[1:]:
        data[0].copyto(other)
