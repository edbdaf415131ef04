# One store for all calls; a key can be made only once.
# breaks: the second call fails
# misconception: every-call-starts-anew
store = mx.kv.create('local')


def allreduce(data):
    store.init(0, data[0])
    store.pushpull(0, data, out=data)
