# Large arrays are added without a copy.
# breaks: 6
# kills: test_no_mixing
# misconception: devices-mix
def allreduce(data):
    for other in data[1:]:
        data[0][:] += other if other.size >= 100 else other.copyto(data[0].context)
    for other in data[1:]:
        data[0].copyto(other)
