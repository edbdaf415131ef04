# A chain: each device adds what it gets from the one before, and only the last has everything.
# breaks: 1
# misconception: replicas-stay-equal
def allreduce(data):
    for i in range(1, len(data)):
        data[i] += data[i - 1].as_in_context(data[i].context)
