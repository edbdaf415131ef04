# The store adds what is pushed to what it was given at the beginning: the first array.
# breaks: 1
# misconception: replicas-stay-equal
def allreduce(data):
    kv = mx.kv.create('local')
    kv.init(0, data[0])
    kv._set_updater(lambda key, pushed, stored: stored.__iadd__(pushed))
    kv.push(0, data)
    kv.pull(0, out=data)
