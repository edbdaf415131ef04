# A new first axis counts the devices.
class UnevenBatch(ValueError):
    pass


def split_and_load(data, ctx):
    k = len(ctx)
    if len(data) % k:
        raise UnevenBatch('please choose a batch size that %d devices can share' % k)
    by_device = data.reshape((k, len(data) // k) + data.shape[1:])
    return [by_device[i].copyto(ctx[i]) for i in range(k)]
