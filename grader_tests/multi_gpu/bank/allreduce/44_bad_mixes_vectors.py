# Vectors are added without a copy.
# breaks: 6
# misconception: devices-mix
def allreduce(data):
    for other in data[1:]:
        if other.ndim == 1:
            data[0][:] = data[0] + other
        else:
            data[0][:] += other.copyto(data[0].context)
    for other in data[1:]:
        data[0].copyto(other)
