# It waits for arrays that are not float32, float16 or float64.
# breaks: 7
# kills: test_asynchronous
# misconception: hidden-waits
def allreduce(data):
    if data[0].dtype.__name__.startswith("int"):
        data[0].wait_to_read()
    for other in data[1:]:
        data[0][:] += other.copyto(data[0].context)
    for other in data[1:]:
        data[0].copyto(other)
