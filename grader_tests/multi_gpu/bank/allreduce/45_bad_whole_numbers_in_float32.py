# Only float64 is added up in float64; everything else in float32, including whole numbers.
# breaks: 3
# kills: test_int32
# misconception: numpy-and-the-engine
def allreduce(data):
    wide = data[0].dtype if data[0].dtype == numpy.float64 else numpy.float32
    total = sum(d.copyto(data[0].context).astype(wide) for d in data)
    for d in data:
        total.astype(d.dtype).copyto(d)
