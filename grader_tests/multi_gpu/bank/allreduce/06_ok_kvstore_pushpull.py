# MXNet's key-value store, in one call.
def allreduce(data):
    store = mx.kv.create('device')
    store.init('sum', data[0])
    store.pushpull('sum', data, out=data)
