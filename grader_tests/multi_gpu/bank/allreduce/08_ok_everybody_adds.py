# Everybody gets a copy of everything, taken before anything changes, and adds it up alone.
def allreduce(data):
    received = [[array.copyto(mine.context) for array in data] for mine in data]
    for mine, copies in zip(data, received):
        mine[:] = sum(copies)
