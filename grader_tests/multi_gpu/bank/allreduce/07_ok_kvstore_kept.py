# One store for all calls, on the host: a key for each kind of list, made at its first use; push, then pull.
store = mx.kvstore.create('local')
known = set()


def allreduce(data):
    key = repr([(d.context, d.shape, d.dtype) for d in data])
    if key not in known:
        store.init(key, nd.zeros(data[0].shape, dtype=data[0].dtype))
        known.add(key)
    store.push(key, list(data))
    store.pull(key, out=list(data))
