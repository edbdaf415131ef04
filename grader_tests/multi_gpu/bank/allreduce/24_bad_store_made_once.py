# One store for all calls; a key can be made only once.
# breaks: 8
# misconception: every-call-starts-anew
store = mx.kv.create('local')


def allreduce(data):
    store.init(0, data[0])
    store.pushpull(0, data, out=data)
