# The ring passes on the array itself, and not what it was at the beginning.
# breaks: 1
# misconception: replicas-stay-equal
def allreduce(data):
    k = len(data)
    for i in range(k):
        left = data[(i - 1) % k]
        data[i] += left.copyto(data[i].context)
