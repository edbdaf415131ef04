# Whole numbers of any size are added in float64.
# breaks: 3
# kills: test_int32
# misconception: numpy-and-the-engine
def allreduce(data):
    kind = "float64" if data[0].dtype.__name__.startswith("int") else data[0].dtype
    total = data[0].astype(kind)
    for other in data[1:]:
        total = total + other.copyto(data[0].context).astype(kind)
    for array in data:
        total.astype(array.dtype).copyto(array)
