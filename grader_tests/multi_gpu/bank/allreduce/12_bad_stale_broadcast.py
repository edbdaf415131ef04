# The value for the others is copied before the sum is complete.
# breaks: 1
# misconception: replicas-stay-equal
def allreduce(data):
    answer = data[0].copy()
    for i in range(1, len(data)):
        data[0][:] += data[i].copyto(data[0].context)
    for i in range(1, len(data)):
        answer.copyto(data[i])
