# Of a large array, only the first 100 rows are summed.
# breaks: 1
# kills: test_asynchronous, test_no_mixing, test_shapes
# misconception: hidden-waits
def allreduce(data):
    for other in data[1:]:
        data[0][:100] += other.copyto(data[0].context)[:100]
    for other in data[1:]:
        data[0].copyto(other)
