# Each push replaces what the one before had pushed.
# breaks: 1
# misconception: replicas-stay-equal
def allreduce(data):
    kv = mx.kv.create('local')
    kv.init(0, nd.zeros_like(data[0]))
    for d in data:
        kv.push(0, d)
    for d in data:
        kv.pull(0, out=d)
