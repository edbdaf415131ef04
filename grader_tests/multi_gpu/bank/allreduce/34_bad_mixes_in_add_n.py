# add_n gets the arrays as they are; only the way back is a copy.
# breaks: 6
# misconception: devices-mix
def allreduce(data):
    total = nd.add_n(*data)
    for d in data:
        d[:] = total
