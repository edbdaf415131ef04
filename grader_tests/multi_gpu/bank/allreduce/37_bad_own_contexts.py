# Array i is taken to be on devices(k)[i].
# breaks: 4, 6
# misconception: devices-mix
def allreduce(data):
    ctx = devices(len(data))
    for other in data[1:]:
        data[0][:] += other.copyto(ctx[0])
    for other in data[1:]:
        data[0].copyto(other)
