# It waits for arrays of more than 1,000 numbers.
# breaks: 7
# kills: test_asynchronous
# misconception: hidden-waits
def allreduce(data):
    if data[0].size > 1000:
        data[0].wait_to_read()
    for other in data[1:]:
        data[0][:] += other.copyto(data[0].context)
    for other in data[1:]:
        data[0].copyto(other)
