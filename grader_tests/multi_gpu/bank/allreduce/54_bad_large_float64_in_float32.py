# Large float64 arrays are added with float32.
# breaks: 3
# kills: test_float64
# misconception: numpy-and-the-engine
def allreduce(data):
    kind = "float32" if data[0].size >= 100 else data[0].dtype
    total = data[0].astype(kind)
    for other in data[1:]:
        total = total + other.copyto(data[0].context).astype(kind)
    for array in data:
        total.astype(array.dtype).copyto(array)
